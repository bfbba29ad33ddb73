import type { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Upstreams } from "../base/upstreams.ts";

export interface RulesDependencies
  extends Pick<EntitiesContext, "database" | "clock">,
    Pick<Upstreams, "memberships" | "sales"> {
  readonly outbound: Pick<OutboundFetcher, "urlProblem">;
}
