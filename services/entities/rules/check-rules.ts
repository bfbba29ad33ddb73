import { invalidArgument, ServiceError, type Violation } from "../../../common/platform/errors/service-error.ts";
import { isCountryCode } from "../../../common/platform/names/country.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import { groupViolations } from "./check-groups.ts";
import type { ParticipationRules } from "./participation-rules.ts";
import { participationProblems } from "./participation-rules.ts";

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
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  if (rules.enabled) requirePossible(sale);
}

/** @throws ServiceError `failed_precondition` if no permits can be issued for the sale */
function requirePossible(sale: SaleFacts): void {
  const problems = [...(isOver(sale) ? ["the sale is over"] : []), ...participationProblems(sale)];
  if (problems.length === 0) return;
  throw new ServiceError("failed_precondition", `taking part can't be switched on: ${problems.join("; ")}`);
}

function isOver({ status }: SaleFacts): boolean {
  return status === "settled" || status === "withdrawn";
}

function countryViolations({ countryRule, countries }: ParticipationRules): readonly Violation[] {
  const field = `${RULES}.countries`;
  const wrong = countries.flatMap((code, index) =>
    isCountryCode(code)
      ? []
      : [{ field: `${field}[${index}]`, rule: "country.code", message: `${code} is no code of ISO 3166-1` }],
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
