import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup,
  type ParticipationRules,
  PermitPayload,
  type PublicRules,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { Language } from "../../platform/language/language.ts";
import { fill, type Translation } from "../../platform/language/message.ts";
import { countryName } from "../../platform/names/country-name.ts";
import type { DefinitionLine } from "./definition-lines.ts";
import { amountText, priceText, type SaleUnits } from "./sale-units.ts";
import type { SettingChange } from "./setting-change.ts";
import { FAR_TIME, utcSecondsText } from "./utc-seconds.ts";

/** The words of rules. */
export const RULE_WORDS = {
  takingPart: "Taking part",
  on: "on",
  off: "off",
  who: "Who",
  people: "people",
  organizations: "organizations",
  peopleAndOrganizations: "people and organizations",
  nobody: "nobody",
  countries: "Countries",
  noCountries: "none",
  onlyCountries: "only {countries}",
  allCountries: "all",
  allButCountries: "all but {countries}",
  wallets: "Wallets",
  oneWallet: "one for each entity",
  oneLinkedWallet: "one for each entity, linked by a signature",
  upToWallets: "up to {count} for each entity",
  upToLinkedWallets: "up to {count} for each entity, linked by a signature",
  screening: "Screening",
  noScreening: "none",
  denyList: "the deny list",
  screenerOpen: "{screener} (if it doesn’t answer, every wallet passes)",
  screenerClosed: "{screener} (if it doesn’t answer, no wallet passes)",
  denyListAndScreener: "the deny list and {screener}",
  presence: "Presence",
  presenceProved: "is proved before the first permit",
  presenceNotProved: "needn’t be proved",
  group: "Group “{name}”",
  always: "always",
  from: "from {from}",
  until: "until {until}",
  fromUntil: "from {from} until {until}",
  farTime: FAR_TIME,
  anyAmount: "any amount",
  anyPrice: "any price",
  atLeast: "at least {least}",
  atMost: "at most {most}",
  range: "{least} to {most}",
  lockup: "with lockup",
  priority: "priority {priority}",
  everybodyElse: "Everybody else",
  onlyMembers: "may not take part: only members of groups may",
  asInGroup: "takes part as in “{name}”",
  inPermit: "In a permit",
  settlement: "says whether a bid must be locked up",
  settlementNoPrice: "says whether a bid must be locked up; bids have no price",
  noSettings: "no further settings",
  noSettingsNoPrice: "no further settings; bids have no price",
  eachScreened: "each wallet, before it gets a permit",
  onSalePage: "On the sale’s page",
  shown: "shown",
  notShown: "not shown",
} as const;

export type RuleWords = Translation<typeof RULE_WORDS>;

/** How rules are written: in full and in English by default. */
export interface RulesStyle {
  /** Whether little is said, as in the activity log: countries by code, and a screener by its host, as its path may hold a key. */
  readonly isBrief?: boolean;
  readonly ruleWords?: RuleWords;
  /** The language of `ruleWords` and of the names of countries. */
  readonly language?: Language;
}

/** The fields of a group that everybody may read. */
type PublicGroupFields = Omit<PublicRules["groups"][number], "$typeName" | "$unknown">;

/** The bounds of an entity's wallets. */
type WalletCounts = Pick<PublicRules, "maxWalletsPerEntity" | "linkingRequired">;

interface Writing extends Required<RulesStyle> {
  readonly units: SaleUnits;
}

/** Returns a sale's rules as lines to read. */
export function rulesLines(
  rules: ParticipationRules,
  units: SaleUnits,
  { isBrief = false, ruleWords = RULE_WORDS, language = "en" }: RulesStyle = {},
): readonly DefinitionLine[] {
  const writing: Writing = { isBrief, ruleWords, language, units };
  return [
    { label: ruleWords.who, text: typesText(rules, ruleWords) },
    { label: ruleWords.countries, text: countriesText(rules, writing) },
    { label: ruleWords.wallets, text: walletsText(rules.wallets ?? {}, ruleWords) },
    { label: ruleWords.screening, text: screeningText(rules, writing) },
    presenceLine(rules, ruleWords),
    ...rules.groups.map((group) => groupLine(group, writing, priorityTexts(group, rules, ruleWords))),
    { label: ruleWords.everybodyElse, text: defaultText(defaultNameOf(rules), ruleWords) },
    { label: ruleWords.inPermit, text: permitText(rules, writing) },
    { label: ruleWords.onSalePage, text: rules.onSalePage ? ruleWords.shown : ruleWords.notShown },
  ];
}

/** Returns the part of a sale's rules that everybody may read, as lines to read. */
export function publicRulesLines(
  rules: PublicRules,
  units: SaleUnits,
  { ruleWords, language }: Required<Pick<RulesStyle, "ruleWords" | "language">>,
): readonly DefinitionLine[] {
  const writing: Writing = { isBrief: false, ruleWords, language, units };
  const { takingPart, off, noScreening, eachScreened } = ruleWords;
  return [
    ...(rules.enabled ? [] : [{ label: takingPart, text: off }]),
    { label: ruleWords.who, text: typesText(rules, ruleWords) },
    { label: ruleWords.countries, text: countriesText(rules, writing) },
    { label: ruleWords.wallets, text: walletsText(rules, ruleWords) },
    { label: ruleWords.screening, text: rules.walletsScreened ? eachScreened : noScreening },
    presenceLine(rules, ruleWords),
    ...rules.groups.map((group) => groupLine(group, writing)),
    { label: ruleWords.everybodyElse, text: defaultText(rules.defaultGroupName, ruleWords) },
  ];
}

/** Returns the lines in which two versions of a sale's rules differ, and whether taking part is on. */
export function ruleChanges(
  before: ParticipationRules,
  after: ParticipationRules,
  units: SaleUnits,
  style?: RulesStyle,
): readonly SettingChange[] {
  const [old, changed] = [textsOf(before, units, style), textsOf(after, units, style)];
  const fields = [...new Set([...changed.keys(), ...old.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field) ?? "", after: changed.get(field) ?? "" }))
    .filter((change) => change.before !== change.after);
}

function textsOf(rules: ParticipationRules, units: SaleUnits, style: RulesStyle = {}): ReadonlyMap<string, string> {
  const { takingPart, on, off } = style.ruleWords ?? RULE_WORDS;
  const texts = new Map([[takingPart, rules.enabled ? on : off]]);
  for (const { label, text, detail } of rulesLines(rules, units, style)) {
    // Groups may have the same name.
    const before = texts.get(label);
    const whole = detail === undefined ? text : `${text}; ${detail}`;
    texts.set(label, before === undefined ? whole : `${before}; ${whole}`);
  }
  return texts;
}

function typesText({ entityTypes }: Pick<ParticipationRules, "entityTypes">, ruleWords: RuleWords): string {
  const [people, organizations] = [EntityType.PERSON, EntityType.ORGANIZATION].map((type) =>
    entityTypes.includes(type),
  );
  if (people) return organizations ? ruleWords.peopleAndOrganizations : ruleWords.people;
  return organizations ? ruleWords.organizations : ruleWords.nobody;
}

function countriesText(
  { countryRule, countries: codes }: Pick<ParticipationRules, "countryRule" | "countries">,
  { isBrief, ruleWords, language }: Writing,
): string {
  const names = isBrief ? codes.toSorted() : codes.map((code) => countryName(code, language));
  const countries = names.join(", ");
  if (countryRule === CountryRule.ONLY_LISTED) {
    return codes.length === 0 ? ruleWords.noCountries : fill(ruleWords.onlyCountries, { countries });
  }
  return codes.length === 0 ? ruleWords.allCountries : fill(ruleWords.allButCountries, { countries });
}

function walletsText(
  { maxWalletsPerEntity = 1, linkingRequired = false }: Partial<WalletCounts>,
  ruleWords: RuleWords,
): string {
  const { oneLinkedWallet, oneWallet, upToLinkedWallets, upToWallets } = ruleWords;
  if (maxWalletsPerEntity === 1) return linkingRequired ? oneLinkedWallet : oneWallet;
  return fill(linkingRequired ? upToLinkedWallets : upToWallets, { count: String(maxWalletsPerEntity) });
}

function presenceLine(
  { livenessRequired }: Pick<ParticipationRules, "livenessRequired">,
  { presence, presenceProved, presenceNotProved }: RuleWords,
): DefinitionLine {
  return { label: presence, text: livenessRequired ? presenceProved : presenceNotProved };
}

function screeningText({ wallets }: ParticipationRules, { isBrief, ruleWords }: Writing): string {
  const url = wallets?.screenerUrl ?? "";
  if (url === "") return wallets?.denyList ? ruleWords.denyList : ruleWords.noScreening;
  const { screenerOpen, screenerClosed, denyListAndScreener } = ruleWords;
  const isOpen = wallets?.onScreeningFailure === ScreeningFailure.OPEN;
  const screener = fill(isOpen ? screenerOpen : screenerClosed, { screener: isBrief ? new URL(url).host : url });
  return wallets?.denyList ? fill(denyListAndScreener, { screener }) : screener;
}

/** Returns a group's priority, where there is another group. */
function priorityTexts(
  { priority }: ParticipationGroup,
  { groups }: ParticipationRules,
  ruleWords: RuleWords,
): readonly string[] {
  return groups.length > 1 ? [fill(ruleWords.priority, { priority: String(priority) })] : [];
}

/** @param others what else is said of the group, after its bounds */
function groupLine(group: PublicGroupFields, writing: Writing, others: readonly string[] = []): DefinitionLine {
  const { units, ruleWords } = writing;
  const { minPriceTicks, maxPriceTicks } = group;
  const maxAmount = group.maxAmount === "" ? undefined : BigInt(group.maxAmount);
  const bounds = [
    rangeText("amount", writing, BigInt(group.minAmount), maxAmount),
    ...(units.isAuction
      ? [rangeText("price", writing, minPriceTicks, maxPriceTicks === 0n ? undefined : maxPriceTicks)]
      : []),
    ...(group.forcedLockup ? [ruleWords.lockup] : []),
    ...others,
  ];
  const label = fill(ruleWords.group, { name: group.name });
  return { label, text: windowText(group, ruleWords), detail: bounds.join("; ") };
}

function windowText({ opensAt, closesAt }: PublicGroupFields, ruleWords: RuleWords): string {
  const time = (seconds: bigint) => utcSecondsText(seconds, ruleWords.farTime);
  if (opensAt === 0n) return closesAt === 0n ? ruleWords.always : fill(ruleWords.until, { until: time(closesAt) });
  if (closesAt === 0n) return fill(ruleWords.from, { from: time(opensAt) });
  return fill(ruleWords.fromUntil, { from: time(opensAt), until: time(closesAt) });
}

function rangeText(
  kind: "amount" | "price",
  { units, ruleWords }: Writing,
  min: bigint,
  max: bigint | undefined,
): string {
  const text = (value: bigint) => (kind === "amount" ? amountText(units, value) : priceText(units, value));
  if (max === undefined && min === 0n) return kind === "amount" ? ruleWords.anyAmount : ruleWords.anyPrice;
  if (max === undefined) return fill(ruleWords.atLeast, { least: text(min) });
  return min === 0n
    ? fill(ruleWords.atMost, { most: text(max) })
    : fill(ruleWords.range, { least: text(min), most: text(max) });
}

function defaultNameOf({ groups, defaultGroupUuid }: ParticipationRules): string {
  return groups.find(({ uuid }) => uuid === defaultGroupUuid)?.name ?? "";
}

/** @param name of the group of everybody else; empty for none */
function defaultText(name: string, ruleWords: RuleWords): string {
  return name === "" ? ruleWords.onlyMembers : fill(ruleWords.asInGroup, { name });
}

function permitText({ payload, bidsWithoutPrice }: ParticipationRules, { units, ruleWords }: Writing): string {
  const { settlement, settlementNoPrice, noSettings, noSettingsNoPrice } = ruleWords;
  const hasNoPrice = !units.isAuction && bidsWithoutPrice;
  if (payload === PermitPayload.SETTLEMENT) return hasNoPrice ? settlementNoPrice : settlement;
  return hasNoPrice ? noSettingsNoPrice : noSettings;
}
