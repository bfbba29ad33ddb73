import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { PublicError } from "../../web/http/public-error.ts";

interface Refusal {
  readonly error: PublicError;
  readonly until: number;
}

/** Errors that were answered for sales a moment ago, so that asking again costs the services nothing. */
export class NegativeCache {
  readonly #refusals: LRUCache<string, Refusal>;

  constructor(maxEntries: number) {
    this.#refusals = new LRUCache(atMost(maxEntries));
  }

  get size(): number {
    return this.#refusals.size;
  }

  /** Returns the error to answer for a sale at `now`; undefined where there is none. */
  get(saleUuid: string, now: number): PublicError | undefined {
    const refusal = this.#refusals.get(saleUuid);
    if (refusal === undefined || now < refusal.until) return refusal?.error;
    this.#refusals.delete(saleUuid);
    return undefined;
  }

  /** Keeps an error until a time. */
  set(saleUuid: string, error: PublicError, until: number): void {
    this.#refusals.set(saleUuid, { error, until });
  }

  delete(saleUuid: string): void {
    this.#refusals.delete(saleUuid);
  }
}
