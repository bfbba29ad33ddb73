import { LRUCache } from "lru-cache";

export interface TtlCacheOptions<Value> {
  /** Asks for the value of a key. */
  readonly load: (key: string) => Promise<Value>;
  /** Lifetime of a value from the start of its load, in milliseconds. */
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly until: number;
}

/**
 * Values that were loaded a moment ago. Concurrent readers of a key share one load. If a load fails, the previous
 * value counts for another `ttlMs`; without one all readers of the load get the error, which isn't kept.
 */
export class TtlCache<Value> {
  readonly #options: TtlCacheOptions<Value>;
  readonly #entries: LRUCache<string, Entry<Value>>;

  constructor(options: TtlCacheOptions<Value>) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.maxEntries });
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Promise<Value> {
    const held = this.#entries.get(key);
    const now = this.#options.now();
    if (held !== undefined && now < held.until) return held.value;
    const value = this.#load(key, held);
    const entry = { value, until: now + this.#options.ttlMs };
    this.#entries.set(key, entry);
    value.catch(() => this.#remove(key, entry));
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  async #load(key: string, held: Entry<Value> | undefined): Promise<Value> {
    try {
      return await this.#options.load(key);
    } catch (error) {
      if (held === undefined) throw error;
      return held.value;
    }
  }

  #remove(key: string, entry: Entry<Value>): void {
    if (this.#entries.peek(key) === entry) this.#entries.delete(key);
  }
}
