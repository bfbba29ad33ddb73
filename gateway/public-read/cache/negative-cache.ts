import type { PublicError } from "../../web/http/public-error.ts";

interface Refusal {
  readonly error: PublicError;
  readonly until: number;
}

/** Sales that were refused a moment ago, with the error, so that asking again costs the services nothing. */
export class NegativeCache {
  readonly #refusals = new Map<string, Refusal>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#refusals.size;
  }

  /** The error to answer with, if there is one at `now`. */
  get(saleUuid: string, now: number): PublicError | undefined {
    const refusal = this.#refusals.get(saleUuid);
    if (refusal === undefined || now < refusal.until) return refusal?.error;
    this.#refusals.delete(saleUuid);
    return undefined;
  }

  /** Remembers an error until a time; the one remembered longest makes room. */
  set(saleUuid: string, error: PublicError, until: number): void {
    this.#refusals.delete(saleUuid);
    this.#refusals.set(saleUuid, { error, until });
    if (this.#refusals.size <= this.#maxEntries) return;
    for (const oldest of this.#refusals.keys()) {
      this.#refusals.delete(oldest);
      return;
    }
  }

  delete(saleUuid: string): void {
    this.#refusals.delete(saleUuid);
  }
}
