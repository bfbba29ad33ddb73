import type { RecentGrants } from "../access/recent-grants.ts";
import type { Upstreams } from "../access/upstreams.ts";
import type { SetupDependencies } from "../setup/dependencies.ts";
import type { CheckDependencies } from "./check-participation.ts";

export interface EligibilityDependencies
  extends CheckDependencies,
    Pick<Upstreams, "authorization">,
    Pick<SetupDependencies, "identityProvider"> {
  readonly recentGrants: RecentGrants;
}
