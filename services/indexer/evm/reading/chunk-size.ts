/** Successes after which a size that failed is tried again. */
const FORGET_AFTER = 64;
const GROWTH = 1.25;
/** A gain of less than this part isn't worth a refusal. */
const WORTHWHILE = 1 / 8;

/**
 * How many rows to ask for at once. Falls when a node refuses (gas, size, time-out), to what went well before or to a
 * half, and grows back step by step, half way to the size that failed at most.
 */
export class ChunkSize {
  readonly #largest: number;
  #current: number;
  /** Went well since the last refusal of as much or less; 0: nothing did. */
  #good = 0;
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
    if (this.#successes >= FORGET_AFTER) this.#forget();
    // A smaller request says nothing of the size.
    if (rows < this.#current) return;
    this.#good = this.#current;
    if (this.#tooLarge - this.#current <= Math.max(1, this.#current * WORTHWHILE)) return;
    const halfWay = Math.floor((this.#current + this.#tooLarge) / 2);
    this.#current = Math.min(Math.ceil(this.#current * GROWTH), halfWay, this.#largest);
  }

  /** @param rows that were refused. @returns false where there is nothing smaller. */
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
