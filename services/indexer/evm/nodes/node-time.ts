/** How long nodes were at work on some requests: the time during which one or more of them was under way. */
export class NodeTime {
  readonly #now: () => number;
  #underWay = 0;
  #since = 0;
  #millis = 0;

  /** @param now milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Of requests that have ended, in milliseconds. */
  get millis(): number {
    return this.#millis;
  }

  async count<Result>(request: () => Promise<Result>): Promise<Result> {
    if (this.#underWay === 0) this.#since = this.#now();
    this.#underWay += 1;
    try {
      return await request();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#millis += this.#now() - this.#since;
    }
  }
}
