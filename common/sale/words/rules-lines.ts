import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup,
  type ParticipationRules,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { countryName } from "../../platform/names/country-name.ts";
import type { DefinitionLine } from "./definition-lines.ts";
import { amountText, priceText, type SaleUnits } from "./sale-units.ts";
import type { SettingChange } from "./setting-change.ts";
import { utcSecondsText } from "./utc-seconds.ts";

/** How much is said: the activity log is brief. It has countries by code, and a screener by its host, as its path may hold a key. */
export type RulesStyle = "full" | "brief";

/** Returns a sale's rules as lines to read. */
export function rulesLines(
  rules: ParticipationRules,
  units: SaleUnits,
  style: RulesStyle = "full",
): readonly DefinitionLine[] {
  return [
    { label: "Who", text: typesText(rules) },
    { label: "Countries", text: countriesText(rules, style) },
    { label: "Wallets", text: walletsText(rules) },
    { label: "Screening", text: screeningText(rules, style) },
    { label: "Presence", text: rules.livenessRequired ? "is proved before the first permit" : "needn’t be proved" },
    ...rules.groups.map((group) => groupLine(group, rules, units)),
    { label: "Everybody else", text: defaultText(rules) },
    { label: "In a permit", text: permitText(rules, units) },
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

function textsOf(rules: ParticipationRules, units: SaleUnits, style?: RulesStyle): ReadonlyMap<string, string> {
  const texts = new Map([["Taking part", rules.enabled ? "on" : "off"]]);
  for (const { label, text, detail } of rulesLines(rules, units, style)) {
    // Groups may have the same name.
    const before = texts.get(label);
    const whole = detail === undefined ? text : `${text}; ${detail}`;
    texts.set(label, before === undefined ? whole : `${before}; ${whole}`);
  }
  return texts;
}

function typesText({ entityTypes }: ParticipationRules): string {
  const names = [
    ...(entityTypes.includes(EntityType.PERSON) ? ["people"] : []),
    ...(entityTypes.includes(EntityType.ORGANIZATION) ? ["organizations"] : []),
  ];
  return names.join(" and ");
}

function countriesText({ countryRule, countries }: ParticipationRules, style: RulesStyle): string {
  const names =
    style === "brief" ? countries.toSorted().join(", ") : countries.map((code) => countryName(code)).join(", ");
  if (countryRule === CountryRule.ONLY_LISTED) return countries.length === 0 ? "none" : `only ${names}`;
  return countries.length === 0 ? "all" : `all but ${names}`;
}

function walletsText({ wallets }: ParticipationRules): string {
  const max = wallets?.maxWalletsPerEntity ?? 1;
  const linked = wallets?.linkingRequired ? ", linked by a signature" : "";
  return `${max === 1 ? "one" : `up to ${max}`} for each entity${linked}`;
}

function screeningText({ wallets }: ParticipationRules, style: RulesStyle): string {
  const list = wallets?.denyList ? ["the deny list"] : [];
  const url = wallets?.screenerUrl ?? "";
  const failing = wallets?.onScreeningFailure === ScreeningFailure.OPEN ? "every wallet passes" : "no wallet passes";
  const name = url === "" || style === "full" ? url : new URL(url).host;
  const screener = name === "" ? [] : [`${name} (if it doesn’t answer, ${failing})`];
  return [...list, ...screener].join(" and ") || "none";
}

function groupLine(group: ParticipationGroup, rules: ParticipationRules, units: SaleUnits): DefinitionLine {
  const bounds = [
    rangeText("amount", units, BigInt(group.minAmount), group.maxAmount === "" ? undefined : BigInt(group.maxAmount)),
    ...(units.isAuction
      ? [rangeText("price", units, group.minPriceTicks, group.maxPriceTicks === 0n ? undefined : group.maxPriceTicks)]
      : []),
    ...(group.forcedLockup ? ["with lockup"] : []),
    ...(rules.groups.length > 1 ? [`priority ${group.priority}`] : []),
  ];
  return { label: `Group “${group.name}”`, text: windowText(group), detail: bounds.join("; ") };
}

function windowText({ opensAt, closesAt }: ParticipationGroup): string {
  if (opensAt === 0n && closesAt === 0n) return "always";
  const until = closesAt === 0n ? "" : `until ${utcSecondsText(closesAt)}`;
  const from = opensAt === 0n ? "" : `from ${utcSecondsText(opensAt)}`;
  return [from, until].filter(Boolean).join(" ");
}

function rangeText(kind: "amount" | "price", units: SaleUnits, min: bigint, max: bigint | undefined): string {
  const text = kind === "amount" ? amountText : priceText;
  if (max === undefined) return min === 0n ? `any ${kind}` : `at least ${text(units, min)}`;
  return min === 0n ? `at most ${text(units, max)}` : `${text(units, min)} to ${text(units, max)}`;
}

function defaultText({ groups, defaultGroupUuid }: ParticipationRules): string {
  const name = groups.find(({ uuid }) => uuid === defaultGroupUuid)?.name;
  return name === undefined ? "may not take part: only members of groups may" : `takes part as in “${name}”`;
}

function permitText({ payload, bidsWithoutPrice }: ParticipationRules, { isAuction }: SaleUnits): string {
  const settings =
    payload === PermitPayload.SETTLEMENT ? "says whether a bid must be locked up" : "no further settings";
  return !isAuction && bidsWithoutPrice ? `${settings}; bids have no price` : settings;
}
