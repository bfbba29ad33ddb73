import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { perText, tokenPrice } from "../../../common/sale/words/definition-lines.ts";
import { groupedText, times } from "../../../common/sale/words/exact-number.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityTypeSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup,
  type ParticipationRules,
  PermitPayloadSchema,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { alignColumns } from "./align-columns.ts";
import { amountText } from "./amount-text.ts";
import { grouped } from "./grouped-digits.ts";
import { plainText } from "./plain-text.ts";

type Row = readonly [string, string];

/** The rules of taking part in a sale, one per line, with amounts and prices in whole payment tokens. */
export function rulesText(stored: GetRulesResponse, rules: ParticipationRules, definition: SaleDefinition): string {
  const rows: Row[] = [
    ["Taking part", rules.enabled ? "on" : "off"],
    ["Who", rules.entityTypes.map((type) => enumName(EntityTypeSchema, type) ?? "unknown").join(", ")],
    ["Countries", countriesText(rules)],
    ["Wallets", walletsText(rules)],
    ["Screening", screeningText(rules)],
    ["Presence", rules.livenessRequired ? "is proved before the first permit" : "needn't be proved"],
    ...rules.groups.map((group): Row => ["Group", groupText(group, definition)]),
    ["Everybody else", defaultText(rules)],
    [
      "Payload",
      `${enumName(PermitPayloadSchema, rules.payload) ?? "unknown"}${rules.bidsWithoutPrice ? ", bids have no price" : ""}`,
    ],
    ["Members", grouped(stored.memberCount)],
    ["Deny list", grouped(stored.denyListCount)],
    ["Valid permits", grouped(stored.unexpiredPermits)],
    ["Version", stored.version.toString()],
  ];
  return alignColumns(rows);
}

function countriesText({ countryRule, countries }: ParticipationRules): string {
  const list = countries.join(", ");
  if (countryRule === CountryRule.ONLY_LISTED) return list === "" ? "none" : `only ${list}`;
  return list === "" ? "all" : `all but ${list}`;
}

function walletsText({ wallets }: ParticipationRules): string {
  const linked = wallets?.linkingRequired ? ", linked by a signature" : "";
  return `at most ${wallets?.maxWalletsPerEntity ?? 1} for each entity${linked}`;
}

function screeningText({ wallets }: ParticipationRules): string {
  const url = plainText(wallets?.screenerUrl ?? "");
  const isOpen = wallets?.onScreeningFailure === ScreeningFailure.OPEN;
  const screener = url === "" ? [] : [`${url} (${isOpen ? "every" : "no"} wallet passes while it doesn't answer)`];
  return [...(wallets?.denyList ? ["deny list"] : []), ...screener].join(", ") || "none";
}

function groupText(group: ParticipationGroup, definition: SaleDefinition): string {
  const { name, uuid, opensAt, closesAt, minAmount, maxAmount, minPriceTicks, maxPriceTicks } = group;
  const decimals = definition.paymentTokens[0]?.decimals ?? 0;
  const amount = (text: string) => (text === "" || text === "0" ? "" : amountText(BigInt(text), decimals));
  const price = (ticks: bigint) => (ticks === 0n ? "" : priceText(ticks, definition));
  const parts = [
    `${plainText(name)} (${uuid})`,
    range("from", secondsText(opensAt), "until", secondsText(closesAt)) || "always open",
    range("at least", amount(minAmount), "at most", maxAmount === "0" ? "0" : amount(maxAmount)) || "any amount",
    ...[range("bids from", price(minPriceTicks), "up to", price(maxPriceTicks))].filter((text) => text !== ""),
    ...(group.forcedLockup ? ["with lockup"] : []),
    `priority ${group.priority}`,
  ];
  return parts.join("; ");
}

function range(from: string, least: string, to: string, most: string): string {
  return [...(least === "" ? [] : [`${from} ${least}`]), ...(most === "" ? [] : [`${to} ${most}`])].join(" ");
}

function priceText(ticks: bigint, definition: SaleDefinition): string {
  return `${groupedText(times(tokenPrice(definition, 1n), ticks))} ${perText(definition)}`;
}

/** The greatest seconds since 1970 that `Date` holds. */
const LAST_SECOND = 8_640_000_000_000n;

function secondsText(seconds: bigint): string {
  if (seconds === 0n) return "";
  return seconds > LAST_SECOND ? `second ${seconds}` : utcTime(new Date(Number(seconds) * 1_000));
}

function defaultText({ groups, defaultGroupUuid }: ParticipationRules): string {
  const group = groups.find(({ uuid }) => uuid === defaultGroupUuid);
  return group === undefined ? "may not take part" : `is in ${plainText(group.name)}`;
}
