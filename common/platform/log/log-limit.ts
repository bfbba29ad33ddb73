const INTERVAL_MS = 60_000;
/** The most keys in a minute, as strangers may choose them. */
const MAX_KEYS = 10;

/** Limits lines about a lasting condition: each key is due once a minute, and at most ten keys are. */
export class LogLimit {
  readonly #now: () => number;
  readonly #loggedAt = new Map<string, number>();

  /** @param now milliseconds of a monotonic clock; that of the process by default. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a line should be logged now. If so, it counts as logged. */
  isDue(key: string): boolean {
    const now = this.#now();
    for (const [logged, at] of this.#loggedAt) if (now - at >= INTERVAL_MS) this.#loggedAt.delete(logged);
    if (this.#loggedAt.has(key) || this.#loggedAt.size >= MAX_KEYS) return false;
    this.#loggedAt.set(key, now);
    return true;
  }
}
