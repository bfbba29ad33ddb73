/** Rest for a sweep, as a multiple of the nodes' work on it. So they work on sweeps at most a tenth of the time, on average. */
const REST_PER_SWEEP = 9;
/**
 * Work on sweeps that isn't rested for: a first read that has to be repeated, as thousands of bids came meanwhile, would
 * otherwise be nine times as late.
 */
const WORK_WITHOUT_REST_MS = 15_000;
const LONGEST_DEBT_MS = REST_PER_SWEEP * WORK_WITHOUT_REST_MS;

/** Decides when the next sweep of a sale may and must begin. All times are in milliseconds of one monotonic clock. */
export class SweepSchedule {
  readonly #intervalMs: number;
  readonly #now: () => number;
  #dueAt = 0;
  /** Time at which all sweeps so far will have been rested for. */
  #restedAt = Number.NEGATIVE_INFINITY;
  #isRequired = false;

  /** @param intervalMs longest time between two sweeps, unless the rest after one is longer. */
  constructor(intervalMs: number, now: () => number) {
    this.#intervalMs = intervalMs;
    this.#now = now;
  }

  /** Whether a sweep must be next, and not a partial read. */
  isDue(): boolean {
    return this.#isRequired || this.#now() >= this.#dueAt;
  }

  /** Whether a sweep must wait. */
  rests(): boolean {
    return this.restMs() > 0;
  }

  /** Milliseconds for which a sweep must wait. */
  restMs(): number {
    return Math.max(this.#restsUntil - this.#now(), 0);
  }

  /** Makes a sweep due, because a partial read couldn't be trusted. */
  requireSweep(): void {
    this.#isRequired = true;
  }

  /** Ends the rest, so that doubts about the logs are settled at once. */
  partialApplied(): void {
    this.#restedAt = Math.min(this.#restedAt, this.#now() + LONGEST_DEBT_MS);
  }

  /**
   * Handles an applied sweep. There is no rest for the sweep of an empty contract.
   *
   * @param rows number of rows of the contract.
   * @param nodeMs time that nodes worked on it.
   */
  applied(rows: bigint, nodeMs: number): void {
    const now = this.#now();
    const begin = now - nodeMs;
    if (rows > 0n) this.#restedAt = Math.max(this.#restedAt, begin) + (1 + REST_PER_SWEEP) * nodeMs;
    this.#dueAt = Math.max(this.#restsUntil, now + this.#intervalMs);
    this.#isRequired = false;
  }

  get #restsUntil(): number {
    return this.#restedAt - LONGEST_DEBT_MS;
  }
}
