import { LRUCache } from "lru-cache";
import { atMost } from "../cache/at-most.ts";
import { KeyedMutex } from "../concurrency/keyed-mutex.ts";
import { ServiceError } from "../errors/service-error.ts";
import { macOf } from "../secrets/mac.ts";
import type { Clock } from "../time/clock.ts";
import { blockOf, type RateLimit, secondsUntil, windowStart } from "./rate-limit.ts";

/**
 * Takes a block of a rate limit's window.
 *
 * @param counter an HMAC of the limit's name and the key that it counts
 * @returns the number that all processes had taken before
 */
export type TakeBlock = (counter: Buffer, windowStartMs: bigint, block: bigint) => Promise<bigint>;

export interface SharedRateLimitsOptions<Name extends string> {
  readonly limits: Readonly<Record<Name, RateLimit>>;
  readonly takeBlock: TakeBlock;
  readonly clock: Clock;
  /** The key of the HMACs, which keep what is counted out of the table. */
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
export class SharedRateLimits<Name extends string> {
  readonly #options: SharedRateLimitsOptions<Name>;
  readonly #allowances = new LRUCache<string, Allowance>(atMost(MAX_ALLOWANCES));
  readonly #mutex = new KeyedMutex();

  constructor(options: SharedRateLimitsOptions<Name>) {
    this.#options = options;
  }

  /**
   * Counts one occurrence.
   *
   * @param key what is counted, such as an account's UUID; empty where it isn't known, and then nothing is counted
   * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable`.
   */
  async take(limit: Name, key: string): Promise<void> {
    if (!this.#options.enabled || key === "") return;
    const counted = `${limit} ${key}`;
    if (this.#spend(limit, counted)) return;
    await this.#mutex.runExclusive(counted, async () => {
      while (!this.#spend(limit, counted)) await this.#replenish(limit, counted);
    });
  }

  /**
   * @returns false where a block must be taken first.
   * @throws ServiceError `resource_exhausted` where the window is used up.
   */
  #spend(limit: Name, counted: string): boolean {
    const allowance = this.#allowances.get(counted);
    if (allowance?.windowStartMs !== windowStart(this.#options.limits[limit], this.#options.clock())) return false;
    if (allowance.left === 0 && allowance.exhausted) throw this.#limitExceeded(limit);
    if (allowance.left === 0) return false;
    allowance.left -= 1;
    return true;
  }

  async #replenish(limit: Name, counted: string): Promise<void> {
    const { takeBlock, clock, counterKey } = this.#options;
    const rule = this.#options.limits[limit];
    const windowStartMs = windowStart(rule, clock());
    const block = blockOf(rule);
    const before = Number(await takeBlock(macOf(counterKey, counted), windowStartMs, BigInt(block)));
    const left = Math.min(block, Math.max(0, rule.count - before));
    this.#allowances.set(counted, { windowStartMs, left, exhausted: before + block >= rule.count });
  }

  #limitExceeded(limit: Name): ServiceError {
    const rule = this.#options.limits[limit];
    const nowMs = this.#options.clock();
    const retryAfterSeconds = secondsUntil(windowStart(rule, nowMs) + rule.windowMs, nowMs);
    return new ServiceError("resource_exhausted", "too many requests, try again later", { retryAfterSeconds });
  }
}
