import type { CommitmentRecord } from "../../commitments/domain/sale/commitment.ts";

/** Raw amounts of all commitments by token, refunded ones included, as contracts add them up. */
export class TokenSums {
  readonly #sums = new Map<string, bigint>();

  add({ amounts }: CommitmentRecord): void {
    for (const { token, amount } of amounts) this.#sums.set(token, (this.#sums.get(token) ?? 0n) + amount);
  }

  of(token: string): bigint {
    return this.#sums.get(token) ?? 0n;
  }

  tokens(): Iterable<string> {
    return this.#sums.keys();
  }
}
