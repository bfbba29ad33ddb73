import type { Logger } from "../../../common/platform/log/log.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { AuthDatabase } from "./schema.ts";

/** The dependencies that use cases of all subjects share. */
export interface BaseDependencies {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rateLimits: Pick<RateLimits, "take">;
}
