import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { idOf, recordOf, TOKEN, WALLET } from "../../../services/commitments/testing/samples.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";

/** The changes that an apply makes to a sale. */
export interface SaleChange {
  readonly upserts: readonly CommitmentRecord[];
  /** Commitment IDs. */
  readonly removals: readonly string[];
  readonly stage?: "commitment" | "done";
}

/** The number of commitments of a writer, so small that most bids change an existing one. */
const COMMITMENTS = 80;
/**
 * A time that no history reaches back to, in seconds since 1970: of later ones, what came an hour late is put at its own time in the
 * history, at a moment of the service's own.
 */
const OLD_SECONDS = 1_453_000_000;

/** Random bids, raises, reductions, refunds and removals of commitments that no other writer changes. */
export class BidSource {
  readonly #random: Random;
  readonly #firstNumber: number;
  readonly #present = new Set<string>();
  #bids = 0;

  /** @param writer a small number, different for each writer of a sale. */
  constructor(random: Random, writer: number) {
    this.#random = random;
    this.#firstNumber = writer * COMMITMENTS;
  }

  /**
   * Returns a change of at least one row. Readers always see it, because no bid repeats an earlier one.
   *
   * @param maxRows the greatest number of rows, 1 to 50
   */
  next(maxRows: number): SaleChange {
    const numbers = this.#numbers(this.#random.integer(1, maxRows));
    const isRemoval = (number: number) => this.#present.has(idOf(number)) && this.#random.integer(1, 6) === 1;
    const removals = numbers.filter(isRemoval).map(idOf);
    const upserts = numbers.filter((number) => !removals.includes(idOf(number))).map((number) => this.#bid(number));
    for (const id of removals) this.#present.delete(id);
    for (const { commitmentId } of upserts) this.#present.add(commitmentId);
    return { upserts, removals };
  }

  #numbers(count: number): number[] {
    const numbers = new Set<number>();
    while (numbers.size < count) numbers.add(this.#firstNumber + this.#random.integer(0, COMMITMENTS - 1));
    return [...numbers];
  }

  #bid(number: number): CommitmentRecord {
    this.#bids += 1;
    const amount = this.#random.integer(0, 9) === 0 ? 0n : BigInt(this.#random.integer(1, 2 ** 31));
    return recordOf(number, {
      createdAtSeconds: BigInt(OLD_SECONDS + this.#random.integer(0, 20)),
      priceTicks: BigInt(this.#random.integer(0, 100_000)),
      refunded: this.#random.integer(0, 9) === 0,
      amounts: [{ wallet: WALLET, token: TOKEN, amount }],
      extraData: Uint8Array.of(this.#bids >> 16, this.#bids >> 8, this.#bids),
    });
  }
}
