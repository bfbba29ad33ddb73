/** Successes after which a size that failed may be tried again. */
const FORGET_AFTER = 64;
const GROWTH = 1.25;
/** Smallest relative gain that is worth the risk of a refusal. */
const WORTHWHILE = 1 / 8;

/**
 * The number of rows per request. After a refusal (gas, size, time-out) it falls to the last good size, or to a half. It
 * grows back in steps, each at most half-way to the size that failed.
 */
export class ChunkSize {
  readonly #largest: number;
  #current: number;
  /** The last size that succeeded since it was refused; 0 if there is none. */
  #good = 0;
  /** The smallest size that failed. */
  #tooLarge = Number.POSITIVE_INFINITY;
  #successes = 0;

  /** @param largest the initial and largest size, 1 or more. */
  constructor(largest: number) {
    this.#largest = largest;
    this.#current = largest;
  }

  get rows(): number {
    return this.#current;
  }

  /** @param rows number of rows that were read at once. */
  succeeded(rows: number): void {
    this.#successes += 1;
    if (this.#successes >= FORGET_AFTER) this.#forget();
    // A smaller request says nothing about the current size.
    if (rows < this.#current) return;
    this.#good = this.#current;
    if (this.#tooLarge - this.#current <= Math.max(1, this.#current * WORTHWHILE)) return;
    const halfWay = Math.floor((this.#current + this.#tooLarge) / 2);
    this.#current = Math.min(Math.ceil(this.#current * GROWTH), halfWay, this.#largest);
  }

  /** @param rows number of rows that were refused. @returns false if there is no smaller size. */
  failed(rows: number): boolean {
    this.#successes = 0;
    this.#tooLarge = Math.min(this.#tooLarge, rows);
    if (this.#good >= rows) this.#good = 0;
    const fallback = this.#good > 0 ? this.#good : Math.max(1, Math.floor(rows / 2));
    this.#current = Math.min(this.#current, fallback);
    return rows > 1;
  }

  #forget(): void {
    this.#successes = 0;
    this.#tooLarge = Number.POSITIVE_INFINITY;
  }
}
