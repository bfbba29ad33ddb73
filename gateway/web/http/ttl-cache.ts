import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";

export interface TtlCacheOptions<Value> {
  /** Asks for the value of a key. */
  readonly load: (key: string) => Promise<Value>;
  /** Whether a value is held. One that isn't ends the one before. All are by default. */
  readonly isHeld?: (value: Value) => boolean;
  /** Lifetime of a value from the start of its load, in milliseconds. */
  readonly ttlMs: number;
  /** Age up to which a value still serves while its load fails, from the start of its own load, in milliseconds. */
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAt: number;
  readonly until: number;
}

/**
 * Values that were loaded a moment ago. Concurrent readers of a key share one load. If a load fails, the previous
 * value counts for another `ttlMs`, but not beyond its `maxAgeMs`; without one all readers of the load get the error, which isn't
 * kept. A value takes the place of another one only once it is there, so that keys without values displace nothing.
 */
export class TtlCache<Value> {
  readonly #options: TtlCacheOptions<Value>;
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #loads = new Map<string, Promise<Entry<Value>>>();

  constructor(options: TtlCacheOptions<Value>) {
    this.#options = options;
    this.#entries = new LRUCache(atMost(options.maxEntries));
  }

  get size(): number {
    return this.#entries.size;
  }

  async get(key: string): Promise<Value> {
    const held = this.#entries.get(key);
    if (held !== undefined && this.#isFresh(held)) return held.value;
    return (await (this.#loads.get(key) ?? this.#begin(key, held))).value;
  }

  /** Whether `get` wouldn't begin a load now: a fresh value is held, or is being loaded. */
  has(key: string): boolean {
    const held = this.#entries.peek(key);
    return this.#loads.has(key) || (held !== undefined && this.#isFresh(held));
  }

  /** Forgets a value, and what a load under way brings. */
  delete(key: string): void {
    this.#entries.delete(key);
    this.#loads.delete(key);
  }

  #isFresh({ until }: Entry<Value>): boolean {
    return this.#options.now() < until;
  }

  async #begin(key: string, held: Entry<Value> | undefined): Promise<Entry<Value>> {
    const load = this.#load(key, held);
    this.#loads.set(key, load);
    const isWanted = () => this.#loads.get(key) === load;
    try {
      const entry = await load;
      if (isWanted()) this.#keep(key, entry);
      return entry;
    } finally {
      if (isWanted()) this.#loads.delete(key);
    }
  }

  #keep(key: string, entry: Entry<Value>): void {
    const { isHeld = () => true } = this.#options;
    if (isHeld(entry.value)) this.#entries.set(key, entry);
    else this.#entries.delete(key);
  }

  async #load(key: string, held: Entry<Value> | undefined): Promise<Entry<Value>> {
    const { load, ttlMs, maxAgeMs, now } = this.#options;
    const loadedAt = now();
    const until = loadedAt + ttlMs;
    try {
      return { value: await load(key), loadedAt, until };
    } catch (error) {
      const end = held === undefined ? -Infinity : held.loadedAt + maxAgeMs;
      if (held === undefined || now() >= end) throw error;
      return { ...held, until: Math.min(until, end) };
    }
  }
}
