import type { RecentGrants } from "../authority/recent-grants.ts";
import type { Upstreams } from "../authority/upstreams.ts";
import type { SetupDependencies } from "../setup/dependencies.ts";
import type { CheckDependencies } from "./check-participation.ts";

export interface EligibilityDependencies
  extends CheckDependencies,
    Pick<Upstreams, "authorization">,
    Pick<SetupDependencies, "identityProvider"> {
  readonly recentGrants: RecentGrants;
}
