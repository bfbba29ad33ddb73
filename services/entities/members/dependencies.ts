import type { RunningExports } from "../../../common/platform/db/running-exports.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { Upstreams } from "../base/upstreams.ts";
import type { RecentRecords } from "./record-participants.ts";

export interface MemberDependencies
  extends Pick<EntitiesContext, "database" | "clock" | "derivedKeys">,
    Pick<Upstreams, "memberships" | "sales"> {
  readonly recentRecords: RecentRecords;
  /** Exports of members that are running. */
  readonly memberExports: RunningExports<EntitiesSchema>;
}
