import { invalidArgument, ServiceError, type Violation } from "../../../common/platform/errors/service-error.ts";
import { countryViolation, isCountryCode } from "../../../common/platform/names/country.ts";
import { hasHiddenCharacters } from "../../../common/platform/names/hidden-characters.ts";
import { hasPermitHook } from "../../../common/sale/definition/contract-family.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import { amountViolations, type BrokenRule } from "./amount-rules.ts";
import { type ParticipationGroup, type ParticipationRules, permitProblems } from "./participation-rules.ts";

/** The path of the rules in the request. */
const RULES = "rules";

/** Says why requests can't go to a URL; undefined if they can. */
export type UrlProblem = (url: string) => string | undefined;

/**
 * Checks new rules of a sale.
 *
 * @throws ServiceError `invalid_argument` that names each wrong field and its rule; `failed_precondition` if taking part
 *   can't be on for the sale
 */
export function checkRules(rules: ParticipationRules, sale: SaleFacts, urlProblem: UrlProblem): void {
  const violations = [
    ...countryViolations(rules),
    ...groupViolations(rules, sale, `${RULES}.groups`),
    ...defaultGroupViolations(rules),
    ...screenerViolations(rules, urlProblem),
    ...hookViolations(rules, sale),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  if (rules.enabled) requirePossible(sale);
}

/** @throws ServiceError `failed_precondition` if no permits can be issued for the sale */
function requirePossible(sale: SaleFacts): void {
  const problems = [...(isOver(sale) ? ["the sale is over"] : []), ...permitProblems(sale)];
  if (problems.length === 0) return;
  throw new ServiceError("failed_precondition", `taking part can't be switched on: ${problems.join("; ")}`);
}

function isOver({ status }: SaleFacts): boolean {
  return status === "settled" || status === "withdrawn";
}

function countryViolations({ countryRule, countries }: ParticipationRules): readonly Violation[] {
  const field = `${RULES}.countries`;
  const wrong = countries.flatMap((code, index) =>
    isCountryCode(code) ? [] : [countryViolation(`${field}[${index}]`, code)],
  );
  if (countryRule === "all_but_listed" || countries.length > 0) return wrong;
  return [{ field, rule: "country.none", message: "must list at least one country if only listed ones are allowed" }];
}

function defaultGroupViolations({ enabled, groups, defaultGroupUuid }: ParticipationRules): readonly Violation[] {
  if (enabled && groups.length === 0) {
    const message = "must have at least one group if taking part is on";
    return [{ field: `${RULES}.groups`, rule: "group.none", message }];
  }
  if (defaultGroupUuid === undefined || groups.some(({ uuid }) => uuid === defaultGroupUuid)) return [];
  const field = `${RULES}.default_group_uuid`;
  return [{ field, rule: "default_group.unknown", message: "must be the UUID of one of the groups" }];
}

function screenerViolations({ wallets }: ParticipationRules, urlProblem: UrlProblem): readonly Violation[] {
  const message = wallets.screenerUrl === "" ? undefined : urlProblem(wallets.screenerUrl);
  return message === undefined ? [] : [{ field: `${RULES}.wallets.screener_url`, rule: "screener_url.form", message }];
}

/**
 * Checks what the hook of a Continuous Clearing Auction takes of permits: no payload of a settlement sale, and so no lockup. Its price
 * bounds are multiples of the auction's tick spacing, which rules don't have: they would mean other prices than those of the sale.
 */
function hookViolations({ payload, groups }: ParticipationRules, { contractFamily }: SaleFacts): readonly Violation[] {
  if (!hasPermitHook(contractFamily)) return [];
  const none = "must be none: the hook of a Continuous Clearing Auction refuses every other";
  const unbounded = "must not be set: in a Continuous Clearing Auction the auction alone bounds prices";
  const prices = groups.flatMap(({ minPriceTicks, maxPriceTicks }, index) => [
    ...(minPriceTicks === 0n ? [] : [`${RULES}.groups[${index}].min_price_ticks`]),
    ...(maxPriceTicks === undefined ? [] : [`${RULES}.groups[${index}].max_price_ticks`]),
  ]);
  return [
    ...(payload === "none" ? [] : [{ field: `${RULES}.payload`, rule: "payload.auction", message: none }]),
    ...prices.map((field) => ({ field, rule: "price.auction", message: unbounded })),
  ];
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type GroupViolation = BrokenRule & { readonly field: string };

/** Checks the groups of rules. @param path the path of the list in the request */
function groupViolations(
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
  if (hasHiddenCharacters(name) || name !== name.trim() || name === "") {
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
