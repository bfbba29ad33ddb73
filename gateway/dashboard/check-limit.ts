/** Checks of contracts that an account may ask for in a minute. */
const MAX_CHECKS = 20;
const WINDOW_MS = 60_000;
const MAX_ACCOUNTS = 10_000;

interface Window {
  readonly until: number;
  count: number;
}

export interface CheckLimitOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Accounts that are counted; the one that began longest ago makes room. */
  readonly maxAccounts?: number;
}

/**
 * How often people have contracts looked at, which the operator's nodes pay for: 20 times in a minute that begins with
 * the first. Counted in this process only.
 */
export class CheckLimit {
  readonly #now: () => number;
  readonly #maxAccounts: number;
  readonly #windows = new Map<string, Window>();

  constructor({ now = () => performance.now(), maxAccounts = MAX_ACCOUNTS }: CheckLimitOptions = {}) {
    this.#now = now;
    this.#maxAccounts = maxAccounts;
  }

  /** Whether an account may have one more check now; counts it. */
  take(accountUuid: string): boolean {
    const window = this.#windowOf(accountUuid);
    if (window.count >= MAX_CHECKS) return false;
    window.count += 1;
    return true;
  }

  #windowOf(accountUuid: string): Window {
    const now = this.#now();
    const held = this.#windows.get(accountUuid);
    if (held !== undefined && now < held.until) return held;
    const window = { until: now + WINDOW_MS, count: 0 };
    this.#windows.delete(accountUuid);
    this.#windows.set(accountUuid, window);
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined && this.#windows.size > this.#maxAccounts) this.#windows.delete(oldest);
    return window;
  }
}
