import { LRUCache } from "lru-cache";

/** Checks of contracts that an account may make in a minute. */
const MAX_CHECKS = 20;
const WINDOW_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

interface Window {
  readonly until: number;
  count: number;
}

export interface CheckLimitOptions {
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
  /** Accounts counted, 10,000 by default; the one whose minute began first makes room. */
  readonly maxAccounts?: number;
}

/**
 * Limits how often an account checks contracts, since each check costs calls of the operator's nodes: 20 times in a
 * minute that begins with the first check. Each process counts for itself.
 */
export class CheckLimit {
  readonly #now: () => number;
  /** Windows in the order in which they began: reading one by `peek` doesn't change that. */
  readonly #windows: LRUCache<string, Window>;

  constructor({ now = () => performance.now(), maxAccounts = MAX_ACCOUNTS }: CheckLimitOptions = {}) {
    this.#now = now;
    this.#windows = new LRUCache({ max: maxAccounts });
  }

  /** Counts a check. @returns whether the account may make it */
  take(accountUuid: string): boolean {
    const window = this.#windowOf(accountUuid);
    if (window.count >= MAX_CHECKS) return false;
    window.count += 1;
    return true;
  }

  #windowOf(accountUuid: string): Window {
    const now = this.#now();
    const held = this.#windows.peek(accountUuid);
    if (held !== undefined && now < held.until) return held;
    const window = { until: now + WINDOW_MS, count: 0 };
    this.#windows.set(accountUuid, window);
    return window;
  }
}
