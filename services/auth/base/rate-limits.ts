import { LRUCache } from "lru-cache";
import { KeyedMutex } from "../../shared/concurrency/keyed-mutex.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { macOf } from "../../shared/secrets/mac.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { blockOf, RATE_LIMITS, type RateLimitName, secondsUntil, windowStart } from "./rate-limit.ts";
import { rateLimitAddress } from "./rate-limit-address.ts";
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

/** The part of a window that this process has taken, and not yet spent. */
interface Allowance {
  readonly windowStartMs: bigint;
  left: number;
  /** Whether the database has nothing more of this window. */
  readonly exhausted: boolean;
}

/** The maximum in memory. The least recently used one is dropped, and what was left of it stays unused. */
const MAX_ALLOWANCES = 20_000;

/**
 * Rate limits that all processes share. A process takes blocks of a window from the database and spends them from memory,
 * so that a busy key costs one statement a block instead of one a request. The processes together never let more pass than
 * the limit; with several of them, a part of it may stay unused in one.
 */
export class RateLimits {
  readonly #options: RateLimitsOptions;
  readonly #allowances = new LRUCache<string, Allowance>({ max: MAX_ALLOWANCES });
  readonly #mutex = new KeyedMutex();

  constructor(options: RateLimitsOptions) {
    this.#options = options;
  }

  /**
   * Counts one occurrence.
   *
   * @param key a network address for limits `…_address`, an account's UUID for `…_account`; empty where it isn't known,
   *   and then nothing is counted.
   * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable`.
   */
  async take(limit: RateLimitName, key: string): Promise<void> {
    if (!this.#options.enabled || key === "") return;
    const counted = `${limit} ${limit.endsWith("_address") ? rateLimitAddress(key) : key}`;
    if (this.#spend(limit, counted)) return;
    await this.#mutex.runExclusive(counted, async () => {
      while (!this.#spend(limit, counted)) await this.#replenish(limit, counted);
    });
  }

  /**
   * @returns false where a block must be taken first.
   * @throws ServiceError `resource_exhausted` where the window is used up.
   */
  #spend(limit: RateLimitName, counted: string): boolean {
    const allowance = this.#allowances.get(counted);
    if (allowance?.windowStartMs !== windowStart(RATE_LIMITS[limit], this.#options.clock())) return false;
    if (allowance.left === 0 && allowance.exhausted) throw this.#limitExceeded(limit);
    if (allowance.left === 0) return false;
    allowance.left -= 1;
    return true;
  }

  async #replenish(limit: RateLimitName, counted: string): Promise<void> {
    const { database, clock, counterKey } = this.#options;
    const rule = RATE_LIMITS[limit];
    const windowStartMs = windowStart(rule, clock());
    const block = blockOf(rule);
    const before = Number(await takeBlock(database, macOf(counterKey, counted), windowStartMs, BigInt(block)));
    const left = Math.min(block, Math.max(0, rule.count - before));
    this.#allowances.set(counted, { windowStartMs, left, exhausted: before + block >= rule.count });
  }

  #limitExceeded(limit: RateLimitName): ServiceError {
    const rule = RATE_LIMITS[limit];
    const nowMs = this.#options.clock();
    const retryAfterSeconds = secondsUntil(windowStart(rule, nowMs) + rule.windowMs, nowMs);
    return new ServiceError("resource_exhausted", "too many requests, try again later", { retryAfterSeconds });
  }
}
