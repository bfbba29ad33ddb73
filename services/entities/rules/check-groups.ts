import type { Violation } from "../../../common/platform/errors/service-error.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import { amountViolations, type BrokenRule } from "./amount-rules.ts";
import type { ParticipationGroup, ParticipationRules } from "./participation-rules.ts";

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Control and format characters, which hide or reorder text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

type GroupViolation = BrokenRule & { readonly field: string };

/** Checks the groups of rules. @param path the path of the list in the request */
export function groupViolations(
  { groups, payload }: Pick<ParticipationRules, "groups" | "payload">,
  { kind }: Pick<SaleFacts, "kind">,
  path: string,
): readonly Violation[] {
  return groups.flatMap((group, index) => {
    const earlier = groups.slice(0, index);
    const broken = [
      ...nameViolations(group, earlier),
      ...windowViolations(group),
      ...amountViolations(group, kind),
      ...priceViolations(group),
      ...lockupViolations(group, payload),
    ];
    return broken.map(({ field, ...rule }) => ({ field: `${path}[${index}].${field}`, ...rule }));
  });
}

function nameViolations(
  { uuid, name }: ParticipationGroup,
  earlier: readonly ParticipationGroup[],
): readonly GroupViolation[] {
  if (earlier.some((other) => other.uuid === uuid)) {
    return [{ field: "uuid", rule: "group.unique", message: "is the UUID of another group" }];
  }
  if (earlier.some((other) => other.name === name)) {
    return [{ field: "name", rule: "group_name.unique", message: "is the name of another group" }];
  }
  if (HIDDEN.test(name) || name !== name.trim() || name === "") {
    const message = "must contain no invisible characters, nor spaces at its beginning or end";
    return [{ field: "name", rule: "group_name.form", message }];
  }
  return UUID.test(name) ? [{ field: "name", rule: "group_name.uuid", message: "must not look like a UUID" }] : [];
}

function windowViolations({ opensAt, closesAt }: ParticipationGroup): readonly GroupViolation[] {
  const late = { rule: "window.range", message: "must be before the year 10000" };
  if (opensAt > LAST_SECOND) return [{ field: "opens_at", ...late }];
  if (closesAt === undefined) return [];
  if (closesAt > LAST_SECOND) return [{ field: "closes_at", ...late }];
  return closesAt > opensAt ? [] : [{ field: "closes_at", rule: "window.order", message: "must be after opens_at" }];
}

function priceViolations({ minPriceTicks, maxPriceTicks }: ParticipationGroup): readonly GroupViolation[] {
  if (maxPriceTicks === undefined || minPriceTicks <= maxPriceTicks) return [];
  return [{ field: "max_price_ticks", rule: "price.order", message: "must not be below min_price_ticks" }];
}

function lockupViolations(
  { forcedLockup }: ParticipationGroup,
  payload: ParticipationRules["payload"],
): readonly GroupViolation[] {
  if (!forcedLockup || payload === "settlement") return [];
  const message = "needs the payload of the settlement sale, which tells the contract";
  return [{ field: "forced_lockup", rule: "forced_lockup.payload", message }];
}
