/**
 * A mutex for each key: work for one key runs one at a time, in the order of arrival. Different keys don't wait for each
 * other. A `p-limit` for each key would take 3 µs a call instead of 0.3 µs, and every update passes here.
 */
export class KeyedMutex {
  /** The last work of each key that is running or waiting. */
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Whether work for a key is running or waiting. */
  isLocked(key: string): boolean {
    return this.#tails.has(key);
  }

  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
