import type { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import type { Upstreams } from "../authority/upstreams.ts";
import type { BaseDependencies } from "../base/dependencies.ts";

export interface RulesDependencies
  extends Pick<BaseDependencies, "database" | "clock">,
    Pick<Upstreams, "memberships" | "sales"> {
  readonly outbound: Pick<OutboundFetcher, "urlProblem">;
}
