import type { RecentGrants } from "../authority/recent-grants.ts";
import type { RecentSales } from "../authority/recent-sales.ts";
import type { CheckDependencies } from "../eligibility/check-participation.ts";
import type { KeyDependencies } from "../permit-keys/dependencies.ts";
import type { IdentityProvider } from "../setup/identity-provider.ts";
import type { PermitRates } from "./permit-rates.ts";

/** The dependencies of the permits' use cases. */
export interface PermitDependencies extends KeyDependencies, CheckDependencies {
  readonly identityProvider: IdentityProvider;
  readonly recentGrants: RecentGrants;
  readonly recentSales: RecentSales;
  readonly permitRates: PermitRates;
}
