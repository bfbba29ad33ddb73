/** A mutex for each key: work for one key runs one at a time, in the order of arrival. Different keys don't wait for each other. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    const mine = (before ?? Promise.resolve()).then(work, work);
    const tail = mine.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
