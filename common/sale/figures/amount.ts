import type { SaleDefinition } from "../definition/sale.ts";
import type { WalletTokenAmount } from "../record/commitment.ts";

/**
 * Normalises a raw amount of a token with `tokenDecimals` (t) to smallest units of `paymentTokenDecimals` (P):
 * `floor(amount × 10^(P−t))`. The amount is at least 0; decimals are integers of at least 0.
 */
export function normaliseAmount(amount: bigint, tokenDecimals: number, paymentTokenDecimals: number): bigint {
  const difference = paymentTokenDecimals - tokenDecimals;
  if (difference === 0) return amount;
  return difference > 0 ? amount * 10n ** BigInt(difference) : amount / 10n ** BigInt(-difference);
}

/** Normalises the amounts of one sale's payment tokens. */
export class AmountNormaliser {
  readonly #decimals: ReadonlyMap<string, number>;
  readonly #paymentTokenDecimals: number;

  constructor({ paymentTokens, paymentTokenDecimals }: Pick<SaleDefinition, "paymentTokens" | "paymentTokenDecimals">) {
    this.#decimals = new Map(paymentTokens.map(({ address, decimals }) => [address, decimals]));
    this.#paymentTokenDecimals = paymentTokenDecimals;
  }

  /** Normalises a raw amount of the token with that canonical address. Throws a `RangeError` for a token it doesn't know. */
  normalise(token: string, amount: bigint): bigint {
    const decimals = this.#decimals.get(token);
    if (decimals === undefined) throw new RangeError(`${token} is not a payment token of the sale`);
    return normaliseAmount(amount, decimals, this.#paymentTokenDecimals);
  }

  /** Adds up amounts, each normalised by itself. Throws as `normalise` does, but a zero may be of any token. */
  sum(amounts: readonly WalletTokenAmount[]): bigint {
    return amounts.reduce((sum, { token, amount }) => (amount === 0n ? sum : sum + this.normalise(token, amount)), 0n);
  }
}
