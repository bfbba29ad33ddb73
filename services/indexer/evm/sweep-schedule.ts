/** A sweep is followed by at least so many times its own duration without one: it takes a tenth of the time at most. */
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
  doubt(): void {
    this.#isDoubted = true;
  }

  partialApplied(): void {
    this.#restsUntil = 0;
  }

  /**
   * A sweep begins; the result is to be called when it is applied, with the rows that the contract had. Of none there was
   * nothing to read, so that what it took was waiting for the node: the first bids aren't kept waiting for that.
   */
  begin(): (rows: bigint) => void {
    const beganAt = this.#now();
    return (rows) => {
      const endedAt = this.#now();
      this.#restsUntil = rows === 0n ? 0 : endedAt + REST_PER_SWEEP * (endedAt - beganAt);
      this.#dueAt = Math.max(this.#restsUntil, endedAt + this.#intervalMs);
      this.#isDoubted = false;
    };
  }
}
