/** Rest after a sweep, as a multiple of the nodes' work on it. So they work on sweeps at most a tenth of the time. */
const REST_PER_SWEEP = 9;

/** Decides when the next sweep of a sale may and must begin. All times are in milliseconds of one monotonic clock. */
export class SweepSchedule {
  readonly #intervalMs: number;
  readonly #now: () => number;
  #dueAt = 0;
  #restsUntil = 0;
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

  /** Whether a sweep must wait. Never after a partial read, so that doubts about the logs are settled at once. */
  rests(): boolean {
    return this.#now() < this.#restsUntil;
  }

  /** Makes a sweep due, because a partial read couldn't be trusted. */
  requireSweep(): void {
    this.#isRequired = true;
  }

  partialApplied(): void {
    this.#restsUntil = 0;
  }

  /**
   * Handles an applied sweep. After a sweep of an empty contract there is no rest, so that its first bids don't wait.
   *
   * @param rows number of rows of the contract.
   * @param nodeMs time that nodes worked on it.
   */
  applied(rows: bigint, nodeMs: number): void {
    const now = this.#now();
    this.#restsUntil = rows === 0n ? 0 : now + REST_PER_SWEEP * nodeMs;
    this.#dueAt = Math.max(this.#restsUntil, now + this.#intervalMs);
    this.#isRequired = false;
  }
}
