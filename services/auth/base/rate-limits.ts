import { KeyedMutex } from "../../shared/concurrency/keyed-mutex.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Clock } from "./clock.ts";
import { countedNetwork } from "./counted-network.ts";
import { macOf } from "./derived-keys.ts";
import { blockOf, RATE_LIMITS, type RateLimitName, secondsUntil, windowStart } from "./rate-limit.ts";
import { takeBlock } from "./rate-windows-store.ts";
import type { AuthDatabase } from "./schema.ts";

export interface RateLimitsOptions {
  readonly database: AuthDatabase;
  readonly clock: Clock;
  /** `DerivedKeys.counters`: the table shows no addresses. */
  readonly counterKey: Uint8Array;
  /** False lets everything pass: for measurements. */
  readonly enabled: boolean;
}

/** What this process may still spend of a window. */
interface Allowance {
  readonly windowStartMs: bigint;
  left: number;
  /** The window has no more to give. */
  exhausted: boolean;
}

/** The least recent are forgotten, with what they had left. */
const MAX_ALLOWANCES = 20_000;

/**
 * Counts in blocks: a process takes a part of a window from the database and spends it from memory, so that a busy key
 * costs a statement now and then instead of one a request. All processes together never let more pass than the limit;
 * with several, a part of it may stay unused in one of them.
 */
export class RateLimits {
  readonly #options: RateLimitsOptions;
  readonly #allowances = new Map<string, Allowance>();
  readonly #mutex = new KeyedMutex();

  constructor(options: RateLimitsOptions) {
    this.#options = options;
  }

  /**
   * Counts one occurrence.
   *
   * @param key what is counted: an address of the network for limits `…_address`, an account's UUID for `…_account`.
   *   Empty: nothing is known, and nothing counted.
   * @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable`.
   */
  async take(limit: RateLimitName, key: string): Promise<void> {
    if (!this.#options.enabled || key === "") return;
    const counted = `${limit} ${limit.endsWith("_address") ? countedNetwork(key) : key}`;
    if (this.#spend(limit, counted)) return;
    await this.#mutex.runExclusive(counted, async () => {
      while (!this.#spend(limit, counted)) await this.#replenish(limit, counted);
    });
  }

  /**
   * @returns false where the database must be asked first.
   * @throws ServiceError `resource_exhausted` where it is known that the window has no more to give.
   */
  #spend(limit: RateLimitName, counted: string): boolean {
    const allowance = this.#allowances.get(counted);
    if (allowance?.windowStartMs !== windowStart(RATE_LIMITS[limit], this.#options.clock())) return false;
    if (allowance.left === 0 && allowance.exhausted) throw this.#refusal(limit);
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
    this.#allowances.delete(counted);
    this.#allowances.set(counted, { windowStartMs, left, exhausted: before + block >= rule.count });
    const [oldest] = this.#allowances.keys();
    if (this.#allowances.size > MAX_ALLOWANCES && oldest !== undefined) this.#allowances.delete(oldest);
  }

  #refusal(limit: RateLimitName): ServiceError {
    const rule = RATE_LIMITS[limit];
    const nowMs = this.#options.clock();
    const retryAfterSeconds = secondsUntil(windowStart(rule, nowMs) + rule.windowMs, nowMs);
    return new ServiceError("resource_exhausted", "too many requests, try again later", { retryAfterSeconds });
  }
}
