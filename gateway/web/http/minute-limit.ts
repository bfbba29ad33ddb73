import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";

const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

interface Window {
  readonly until: number;
  count: number;
}

export interface MinuteLimitOptions {
  /** The most of one key in a minute that begins with its first. */
  readonly max: number;
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
  /** Keys counted, 10,000 by default; the one whose minute began first makes room. */
  readonly maxKeys?: number;
}

/** Limits how often something happens for a key, such as an account or an address. Each process counts for itself. */
export class MinuteLimit {
  readonly #max: number;
  readonly #now: () => number;
  /** Windows in the order in which they began: reading one by `peek` doesn't change that. */
  readonly #windows: LRUCache<string, Window>;

  constructor({ max, now = () => performance.now(), maxKeys = MAX_KEYS }: MinuteLimitOptions) {
    this.#max = max;
    this.#now = now;
    this.#windows = new LRUCache(atMost(maxKeys));
  }

  /** Counts one. @returns whether it may happen */
  take(key: string): boolean {
    const window = this.#windowOf(key);
    if (window.count >= this.#max) return false;
    window.count += 1;
    return true;
  }

  /** Returns whether `take` would refuse a key now, without counting. */
  isSpent(key: string): boolean {
    const window = this.#windows.peek(key);
    return window !== undefined && this.#now() < window.until && window.count >= this.#max;
  }

  #windowOf(key: string): Window {
    const now = this.#now();
    const held = this.#windows.peek(key);
    if (held !== undefined && now < held.until) return held;
    const window = { until: now + WINDOW_MS, count: 0 };
    this.#windows.set(key, window);
    return window;
  }
}
