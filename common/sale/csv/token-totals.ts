import { addressKey } from "./map-keys.ts";

/** Sums of amounts by payment token of a sale. */
export class TokenTotals {
  readonly #known: ReadonlySet<string>;
  readonly #totals = new Map<string, { readonly token: string; sum: bigint }>();

  /** @param paymentTokens the tokens that the sale takes */
  constructor(paymentTokens: readonly string[]) {
    this.#known = new Set(paymentTokens.map(addressKey));
  }

  /** Sums by token as first written, in its smallest units. */
  get sums(): ReadonlyMap<string, bigint> {
    return new Map(Array.from(this.#totals.values(), ({ token, sum }) => [token, sum]));
  }

  /** Adds an amount. @returns false for a token that the sale doesn't take: then nothing is added */
  add(token: string, amount: bigint): boolean {
    const key = addressKey(token);
    if (!this.#known.has(key)) return false;
    const total = this.#totals.get(key) ?? { token, sum: 0n };
    total.sum += amount;
    this.#totals.set(key, total);
    return true;
  }
}
