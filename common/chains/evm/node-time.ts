/** The time that nodes worked on a group of requests: while at least one of them was running. */
export class NodeTime {
  readonly #now: () => number;
  #running = 0;
  #since = 0;
  #millis = 0;

  /** @param now milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The time so far in milliseconds, without a period that hasn't ended. */
  get millis(): number {
    return this.#millis;
  }

  /** Adds the share of a request that was made for others, too. */
  add(millis: number): void {
    this.#millis += millis;
  }

  async count<Result>(request: () => Promise<Result>): Promise<Result> {
    if (this.#running === 0) this.#since = this.#now();
    this.#running += 1;
    try {
      return await request();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#millis += this.#now() - this.#since;
    }
  }
}
