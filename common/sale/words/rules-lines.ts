import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup,
  type ParticipationRules,
  PermitPayload,
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
  const { presenceProved, presenceNotProved } = ruleWords;
  return [
    { label: ruleWords.who, text: typesText(rules, ruleWords) },
    { label: ruleWords.countries, text: countriesText(rules, writing) },
    { label: ruleWords.wallets, text: walletsText(rules, ruleWords) },
    { label: ruleWords.screening, text: screeningText(rules, writing) },
    { label: ruleWords.presence, text: rules.livenessRequired ? presenceProved : presenceNotProved },
    ...rules.groups.map((group) => groupLine(group, rules, writing)),
    { label: ruleWords.everybodyElse, text: defaultText(rules, ruleWords) },
    { label: ruleWords.inPermit, text: permitText(rules, writing) },
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

function typesText({ entityTypes }: ParticipationRules, ruleWords: RuleWords): string {
  const [people, organizations] = [EntityType.PERSON, EntityType.ORGANIZATION].map((type) =>
    entityTypes.includes(type),
  );
  if (people) return organizations ? ruleWords.peopleAndOrganizations : ruleWords.people;
  return organizations ? ruleWords.organizations : ruleWords.nobody;
}

function countriesText(
  { countryRule, countries: codes }: ParticipationRules,
  { isBrief, ruleWords, language }: Writing,
): string {
  const names = isBrief ? codes.toSorted() : codes.map((code) => countryName(code, language));
  const countries = names.join(", ");
  if (countryRule === CountryRule.ONLY_LISTED) {
    return codes.length === 0 ? ruleWords.noCountries : fill(ruleWords.onlyCountries, { countries });
  }
  return codes.length === 0 ? ruleWords.allCountries : fill(ruleWords.allButCountries, { countries });
}

function walletsText({ wallets }: ParticipationRules, ruleWords: RuleWords): string {
  const max = wallets?.maxWalletsPerEntity ?? 1;
  const isLinked = wallets?.linkingRequired ?? false;
  if (max === 1) return isLinked ? ruleWords.oneLinkedWallet : ruleWords.oneWallet;
  return fill(isLinked ? ruleWords.upToLinkedWallets : ruleWords.upToWallets, { count: String(max) });
}

function screeningText({ wallets }: ParticipationRules, { isBrief, ruleWords }: Writing): string {
  const url = wallets?.screenerUrl ?? "";
  if (url === "") return wallets?.denyList ? ruleWords.denyList : ruleWords.noScreening;
  const { screenerOpen, screenerClosed, denyListAndScreener } = ruleWords;
  const isOpen = wallets?.onScreeningFailure === ScreeningFailure.OPEN;
  const screener = fill(isOpen ? screenerOpen : screenerClosed, { screener: isBrief ? new URL(url).host : url });
  return wallets?.denyList ? fill(denyListAndScreener, { screener }) : screener;
}

function groupLine(group: ParticipationGroup, rules: ParticipationRules, writing: Writing): DefinitionLine {
  const { units, ruleWords } = writing;
  const { minPriceTicks, maxPriceTicks } = group;
  const maxAmount = group.maxAmount === "" ? undefined : BigInt(group.maxAmount);
  const bounds = [
    rangeText("amount", writing, BigInt(group.minAmount), maxAmount),
    ...(units.isAuction
      ? [rangeText("price", writing, minPriceTicks, maxPriceTicks === 0n ? undefined : maxPriceTicks)]
      : []),
    ...(group.forcedLockup ? [ruleWords.lockup] : []),
    ...(rules.groups.length > 1 ? [fill(ruleWords.priority, { priority: String(group.priority) })] : []),
  ];
  const label = fill(ruleWords.group, { name: group.name });
  return { label, text: windowText(group, ruleWords), detail: bounds.join("; ") };
}

function windowText({ opensAt, closesAt }: ParticipationGroup, ruleWords: RuleWords): string {
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

function defaultText({ groups, defaultGroupUuid }: ParticipationRules, ruleWords: RuleWords): string {
  const name = groups.find(({ uuid }) => uuid === defaultGroupUuid)?.name;
  return name === undefined ? ruleWords.onlyMembers : fill(ruleWords.asInGroup, { name });
}

function permitText({ payload, bidsWithoutPrice }: ParticipationRules, { units, ruleWords }: Writing): string {
  const { settlement, settlementNoPrice, noSettings, noSettingsNoPrice } = ruleWords;
  const hasNoPrice = !units.isAuction && bidsWithoutPrice;
  if (payload === PermitPayload.SETTLEMENT) return hasNoPrice ? settlementNoPrice : settlement;
  return hasNoPrice ? noSettingsNoPrice : noSettings;
}
