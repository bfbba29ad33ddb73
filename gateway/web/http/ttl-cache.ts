export interface RememberedCallsOptions<Value> {
  /** Asks for the value of a key. */
  readonly load: (key: string) => Promise<Value>;
  /** How long a value counts, in milliseconds. */
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly until: number;
}

/**
 * Values that were asked for a moment ago. Those who ask for the same one at once wait for one call. Where a call
 * fails, the value from before goes on counting; without one the error goes to all who wait, and isn't remembered.
 */
export class RememberedCalls<Value> {
  readonly #options: RememberedCallsOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: RememberedCallsOptions<Value>) {
    this.#options = options;
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
    this.#remember(key, entry);
    value.catch(() => this.#forget(key, entry));
    return value;
  }

  async #load(key: string, held: Entry<Value> | undefined): Promise<Value> {
    try {
      return await this.#options.load(key);
    } catch (error) {
      if (held === undefined) throw error;
      return held.value;
    }
  }

  #remember(key: string, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > this.#options.maxEntries) this.#entries.delete(oldest);
  }

  #forget(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}
