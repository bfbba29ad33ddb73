import type { WalletTokenAmount } from "../../sale/record/commitment.ts";
import { addTo } from "../../sale/record/token-amounts.ts";

/** Raw sums of amounts by token. */
export class TokenSums {
  readonly #sums = new Map<string, bigint>();

  add(amounts: readonly WalletTokenAmount[]): void {
    for (const { token, amount } of amounts) addTo(this.#sums, token, amount);
  }

  /** Returns the sum of a token, 0 without any amount. */
  of(token: string): bigint {
    return this.#sums.get(token) ?? 0n;
  }

  /** Returns the tokens whose sum isn't their total, which is 0 for a token that has none. */
  differing(totals: ReadonlyMap<string, bigint>): readonly string[] {
    const tokens = new Set([...this.#sums.keys(), ...totals.keys()]);
    return [...tokens].filter((token) => this.of(token) !== (totals.get(token) ?? 0n));
  }
}
