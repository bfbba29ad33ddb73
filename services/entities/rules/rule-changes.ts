import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { groupedText, timesPowerOfTen } from "../../../common/sale/words/exact-number.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { ParticipationGroup, ParticipationRules } from "./participation-rules.ts";

type Sale = Pick<SaleFacts, "paymentTokenDecimals" | "pricing">;

/** Returns the settings in which two versions of rules differ, in words. */
export function ruleChanges(before: ParticipationRules, after: ParticipationRules, sale: Sale): SettingChange[] {
  const [old, now] = [settingsOf(before, sale), settingsOf(after, sale)];
  const fields = [...new Set([...now.keys(), ...old.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field) ?? "", after: now.get(field) ?? "" }))
    .filter((change) => change.before !== change.after);
}

/** Returns the settings by their names, the most important first. */
function settingsOf(rules: ParticipationRules, sale: Sale): ReadonlyMap<string, string> {
  const { wallets, groups, defaultGroupUuid } = rules;
  return new Map([
    ["Taking part", rules.enabled ? "on" : "off"],
    ["Countries", countriesText(rules)],
    ["Who may take part", rules.entityTypes.map((type) => (type === "person" ? "people" : "organizations")).join(", ")],
    ["Everyone who is in no group", defaultText(groups, defaultGroupUuid)],
    ...groups.map((group) => [`Group “${group.name}”`, groupText(group, sale)] as const),
    ["Wallets of an entity", `at most ${wallets.maxWalletsPerEntity}`],
    ["Linking of wallets", required(wallets.linkingRequired)],
    ["Deny list", wallets.denyList ? "counts" : "doesn’t count"],
    ["Screening of wallets", wallets.screenerUrl === "" ? "none" : `by ${new URL(wallets.screenerUrl).host}`],
    ["When screening fails", wallets.onScreeningFailure === "closed" ? "no permits" : "wallets count as clean"],
    ["Proof of presence", required(rules.livenessRequired)],
    ["Payload of permits", rules.payload === "settlement" ? "settings of the settlement sale" : "none"],
    ["Bids", rules.bidsWithoutPrice ? "without a price" : "with the sale’s price"],
  ]);
}

function countriesText({ countryRule, countries }: ParticipationRules): string {
  const list = countries.toSorted().join(", ");
  if (countryRule === "only_listed") return `only ${list}`;
  return list === "" ? "all" : `all but ${list}`;
}

function defaultText(groups: readonly ParticipationGroup[], uuid: string | undefined): string {
  const group = groups.find((each) => each.uuid === uuid);
  return group === undefined ? "may not take part" : `as “${group.name}”`;
}

function groupText(group: ParticipationGroup, sale: Sale): string {
  const { opensAt, closesAt, minPriceTicks, maxPriceTicks, forcedLockup, priority } = group;
  const parts = [
    rangeText(
      opensAt === 0n ? undefined : timeText(opensAt),
      closesAt === undefined ? undefined : timeText(closesAt),
      "any time",
    ),
    amountsText(group, sale),
    ...(sale.pricing.kind === "auction"
      ? [
          rangeText(
            minPriceTicks === 0n ? undefined : `${minPriceTicks}`,
            maxPriceTicks?.toString(),
            "any price",
            "price ticks",
          ),
        ]
      : []),
    ...(forcedLockup ? ["locked up"] : []),
    ...(priority > 0 ? [`priority ${priority}`] : []),
  ];
  return parts.join("; ");
}

function amountsText({ minAmount, maxAmount }: ParticipationGroup, { paymentTokenDecimals }: Sale): string {
  const [decimals = 0, ...others] = paymentTokenDecimals;
  const isCommon = others.every((other) => other === decimals);
  const text = (amount: bigint) =>
    groupedText(timesPowerOfTen({ numerator: amount, denominator: 1n }, isCommon ? -decimals : 0));
  const unit = isCommon ? "payment tokens" : "smallest units";
  return rangeText(
    minAmount === 0n ? undefined : text(minAmount),
    maxAmount === undefined ? undefined : text(maxAmount),
    "any amount",
    unit,
  );
}

/** `from 1 to 2 units`, with one bound, or `any`. */
function rangeText(from: string | undefined, to: string | undefined, any: string, unit = ""): string {
  if (from === undefined && to === undefined) return any;
  const bounds = [from === undefined ? "" : `from ${from}`, to === undefined ? "" : `to ${to}`, unit];
  return bounds.filter((bound) => bound !== "").join(" ");
}

function timeText(seconds: bigint): string {
  return utcTime(new Date(Number(seconds) * 1_000));
}

function required(isRequired: boolean): string {
  return isRequired ? "required" : "not required";
}
