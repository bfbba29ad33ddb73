import { AbiWords } from "../../../chains/evm/abi-words.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import { DecodingBudget } from "./decoding-budget.ts";

const WORD = 32;
const ROW_HEAD = 8 * WORD;
const NOTHING = new Uint8Array();

/**
 * Decodes `CommitmentData[]`, the answer of `readCommitmentDataIn`. It is the inner loop of a sweep, and several times as
 * fast as a general decoder, which also computes the checksum of every address.
 *
 * @param from the index of the first row.
 * @param count the expected number of rows.
 * @throws RangeError for any other number of rows, and for anything that isn't such an encoding.
 */
export function decodeRows(answer: string, from: bigint, count: number): readonly SourceCommitment[] {
  const words = new AbiWords(answer);
  const array = words.size(0);
  const actual = words.size(array);
  if (actual !== count) throw new RangeError(`${actual} rows instead of ${count}`);
  return new RowsDecoder(words).rows(array + WORD, from, count);
}

class RowsDecoder {
  readonly #words: AbiWords;
  readonly #budget: DecodingBudget;

  constructor(words: AbiWords) {
    this.#words = words;
    this.#budget = new DecodingBudget(words);
  }

  rows(base: number, from: bigint, count: number): readonly SourceCommitment[] {
    this.#budget.use(count * (WORD + ROW_HEAD));
    const rows: SourceCommitment[] = [];
    for (let index = 0; index < count; index += 1) {
      rows.push(this.#row(base + this.#words.size(base + index * WORD), from + BigInt(index)));
    }
    return rows;
  }

  #row(at: number, sourceIndex: bigint): SourceCommitment {
    const words = this.#words;
    return {
      commitmentId: words.bytes32(at),
      entityId: words.bytes16(at + WORD),
      createdAtSeconds: words.uint64(at + 2 * WORD),
      priceTicks: words.uint64(at + 3 * WORD),
      lockup: words.bool(at + 4 * WORD),
      refunded: words.bool(at + 5 * WORD),
      amounts: this.#budget.amounts(at + words.size(at + 6 * WORD)),
      extraData: this.#bytes(at + words.size(at + 7 * WORD)),
      sourceIndex,
    };
  }

  #bytes(at: number): Uint8Array<ArrayBuffer> {
    const length = this.#words.size(at);
    this.#budget.use(length);
    return length === 0 ? NOTHING : this.#words.bytes(at + WORD, length);
  }
}
