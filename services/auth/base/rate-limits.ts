import { sql } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import {
  ADDRESSES_A_SITE,
  rateLimitAddress,
  rateLimitSite,
} from "../../../common/platform/outbound/rate-limit-address.ts";
import type { RateLimit } from "../../../common/platform/rate-limits/rate-limit.ts";
import { SharedRateLimits } from "../../../common/platform/rate-limits/shared-rate-limits.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { LONGEST_WINDOW_MS, RATE_LIMITS, type RateLimitName } from "./rate-limit.ts";
import type { AuthDatabase } from "./schema.ts";

export interface RateLimitsOptions {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  /** `DerivedKeys.counters`, which keeps addresses out of the table. */
  readonly counterKey: Uint8Array;
  /** False lets everything pass, for measurements. */
  readonly enabled: boolean;
}

type AddressLimitName = Extract<RateLimitName, `${string}_address`>;
type SiteLimitName = `${AddressLimitName} of a /48`;

/** The rate limits of auth. Those by address count an IPv6 address in its /64, and in its /48 too. */
export class RateLimits {
  readonly #limits: SharedRateLimits<RateLimitName | SiteLimitName>;

  constructor({ database, ...options }: RateLimitsOptions) {
    this.#limits = new SharedRateLimits({
      ...options,
      limits: { ...RATE_LIMITS, ...siteLimits() },
      takeBlock: (counter, windowStartMs, block) => takeBlock(database, counter, windowStartMs, block),
    });
  }

  /**
   * Counts one occurrence.
   *
   * @param key a network address for limits `…_address`, the UUID of an account or a client, or both, for the others; empty where it
   *   isn't known, and then nothing is counted.
   * @param clientUuid the application at which an address is counted; without it all are counted together.
   * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable`.
   */
  async take(limit: RateLimitName, key: string, clientUuid = ""): Promise<void> {
    if (!isByAddress(limit)) return this.#limits.take(limit, key);
    await this.#limits.take(limit, key === "" ? key : rateLimitAddress(key) + clientUuid);
    const site = rateLimitSite(key);
    if (site !== undefined) await this.#limits.take(siteLimitOf(limit), site + clientUuid);
  }
}

function isByAddress(limit: RateLimitName): limit is AddressLimitName {
  return limit.endsWith("_address");
}

function siteLimitOf(limit: AddressLimitName): SiteLimitName {
  return `${limit} of a /48`;
}

function siteLimits(): Readonly<Record<SiteLimitName, RateLimit>> {
  const names = (Object.keys(RATE_LIMITS) as RateLimitName[]).filter(isByAddress);
  const rows = names.map((name) => {
    const { count, windowMs } = RATE_LIMITS[name];
    return [siteLimitOf(name), { count: ADDRESSES_A_SITE * count, windowMs }] as const;
  });
  return Object.fromEntries(rows) as Record<SiteLimitName, RateLimit>;
}

const KEYS = ["counter", "window_start_ms"];

/**
 * Takes a block of a rate limit's window.
 *
 * @param counter an HMAC of the limit's name and the key that it counts.
 * @returns the number that all processes had taken before.
 */
async function takeBlock(
  database: AuthDatabase,
  counter: Buffer,
  windowStartMs: bigint,
  block: bigint,
): Promise<bigint> {
  const add = sql`insert into rate_window (counter, window_start_ms, taken) values (${counter}, ${windowStartMs}, ${block})
    ${sql.raw(database.dialect.addClause(KEYS, "taken"))}`;
  return database.write(async (transaction) => {
    await add.execute(transaction);
    const { taken } = await transaction
      .selectFrom("rate_window")
      .select("taken")
      .where("counter", "=", counter)
      .where("window_start_ms", "=", windowStartMs)
      .executeTakeFirstOrThrow();
    return BigInt(taken) - block;
  });
}

export function expiredRateWindows(nowMs: bigint): ExpiredRows {
  return { table: "rate_window", ageColumn: "window_start_ms", cutoff: nowMs - LONGEST_WINDOW_MS };
}
