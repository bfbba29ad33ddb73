/** Successes after which a size that failed is tried again. */
const FORGET_AFTER = 64;

/**
 * How many rows to ask for at once. Halves when a node refuses (gas, size, time-out), grows back by a quarter at a
 * time, but only after a long row of successes to a size that has failed.
 */
export class ChunkSize {
  readonly #largest: number;
  #current: number;
  /** The smallest size that failed. */
  #tooLarge = Number.POSITIVE_INFINITY;
  #successes = 0;

  /** @param largest rows, 1 or more: where it begins and what it grows back to. */
  constructor(largest: number) {
    this.#largest = largest;
    this.#current = largest;
  }

  get rows(): number {
    return this.#current;
  }

  /** @param rows that were read at once. */
  succeeded(rows: number): void {
    this.#successes += 1;
    if (this.#successes >= FORGET_AFTER) this.#tooLarge = Number.POSITIVE_INFINITY;
    // A smaller request says nothing of the size.
    if (rows < this.#current) return;
    const grown = Math.ceil(this.#current * 1.25);
    this.#current = Math.max(this.#current, Math.min(grown, this.#largest, this.#tooLarge - 1));
  }

  /** @param rows that were refused. @returns false where there is nothing smaller. */
  failed(rows: number): boolean {
    this.#successes = 0;
    this.#tooLarge = Math.min(this.#tooLarge, Math.max(rows, 2));
    this.#current = Math.min(this.#current, Math.max(1, Math.floor(rows / 2)));
    return rows > 1;
  }
}
