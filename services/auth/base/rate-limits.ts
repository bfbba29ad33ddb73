import { rateLimitAddress } from "../../../common/platform/outbound/rate-limit-address.ts";
import { SharedRateLimits } from "../../../common/platform/rate-limits/shared-rate-limits.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { RATE_LIMITS, type RateLimitName } from "./rate-limit.ts";
import { takeBlock } from "./rate-windows-store.ts";
import type { AuthDatabase } from "./schema.ts";

export interface RateLimitsOptions {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  /** `DerivedKeys.counters`, which keeps addresses out of the table. */
  readonly counterKey: Uint8Array;
  /** False lets everything pass, for measurements. */
  readonly enabled: boolean;
}

/** The rate limits of auth. */
export class RateLimits {
  readonly #limits: SharedRateLimits<RateLimitName>;

  constructor({ database, ...options }: RateLimitsOptions) {
    this.#limits = new SharedRateLimits({
      ...options,
      limits: RATE_LIMITS,
      takeBlock: (counter, windowStartMs, block) => takeBlock(database, counter, windowStartMs, block),
    });
  }

  /**
   * Counts one occurrence.
   *
   * @param key a network address for limits `…_address`, the UUID of an account or a client, or both, for
   *   the others; empty where it isn't known,
   *   and then nothing is counted.
   * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable`.
   */
  async take(limit: RateLimitName, key: string): Promise<void> {
    await this.#limits.take(limit, key !== "" && limit.endsWith("_address") ? rateLimitAddress(key) : key);
  }
}
