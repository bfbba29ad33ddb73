import type { AbiWords } from "../../../chains/evm/abi-words.ts";
import type { SourceAmount } from "../../source-commitment.ts";

const WORD = 32;
const AMOUNT = 3 * WORD;

/** Bounds what is decoded of an answer by its length: overlapping offsets could make a huge result of a short answer. */
export class DecodingBudget {
  readonly #words: AbiWords;
  #unused: number;

  constructor(words: AbiWords) {
    this.#words = words;
    this.#unused = words.length;
  }

  /** @throws RangeError if more is decoded than the answer has. */
  use(bytes: number): void {
    this.#unused -= bytes;
    if (this.#unused < 0) throw new RangeError("the rows overlap or end too early");
  }

  /** Decodes `WalletTokenAmount[]`. @param at byte of its length */
  amounts(at: number): readonly SourceAmount[] {
    const words = this.#words;
    const count = words.size(at);
    this.use(count * AMOUNT);
    const amounts: SourceAmount[] = [];
    for (let index = 0, next = at + WORD; index < count; index += 1, next += AMOUNT) {
      const [wallet, token] = [words.address(next), words.address(next + WORD)];
      amounts.push({ wallet, token, amount: words.uint256(next + 2 * WORD) });
    }
    return amounts;
  }
}
