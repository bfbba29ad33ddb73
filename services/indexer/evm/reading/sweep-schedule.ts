/** A sweep is followed by at least so many times what it took the nodes without one: they work on it a tenth of the time at most. */
const REST_PER_SWEEP = 9;

/** When the next sweep of a sale may and must be. All times in milliseconds of one monotonic clock. */
export class SweepSchedule {
  readonly #intervalMs: number;
  readonly #now: () => number;
  #dueAt = 0;
  #restsUntil = 0;
  #isDoubted = false;

  /** @param intervalMs between two sweeps, at most, as far as rests allow. */
  constructor(intervalMs: number, now: () => number) {
    this.#intervalMs = intervalMs;
    this.#now = now;
  }

  /** Whether no partial reading may stand in for a sweep. */
  isDue(): boolean {
    return this.#isDoubted || this.#now() >= this.#dueAt;
  }

  /** Whether a sweep has to wait. After a partial reading none has: doubts about the logs are cleared up at once. */
  rests(): boolean {
    return this.#now() < this.#restsUntil;
  }

  /** A partial reading could not be vouched for. */
  requireSweep(): void {
    this.#isDoubted = true;
  }

  partialApplied(): void {
    this.#restsUntil = 0;
  }

  /**
   * A sweep was applied. Of no rows there was nothing to read: the first bids aren't kept waiting for that.
   *
   * @param rows that the contract had.
   * @param nodeMs how long nodes were at work on it.
   */
  applied(rows: bigint, nodeMs: number): void {
    const now = this.#now();
    this.#restsUntil = rows === 0n ? 0 : now + REST_PER_SWEEP * nodeMs;
    this.#dueAt = Math.max(this.#restsUntil, now + this.#intervalMs);
    this.#isDoubted = false;
  }
}
