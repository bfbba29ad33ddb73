// common/contracts/reference/evm/decode-rows.ts without types, made by `npm run generate`.

import { AbiWords } from "./abi-words.js";

import { DecodingBudget } from "./decoding-budget.js";

const WORD = 32;
const ROW_HEAD = 8 * WORD;
const NOTHING = new Uint8Array();

export function decodeRows(answer, from, count) {
  const words = new AbiWords(answer);
  const array = words.size(0);
  const actual = words.size(array);
  if (actual !== count) throw new RangeError(`${actual} rows instead of ${count}`);
  return new RowsDecoder(words).rows(array + WORD, from, count);
}

class RowsDecoder {
  #words;
  #budget;

  constructor(words) {
    this.#words = words;
    this.#budget = new DecodingBudget(words);
  }

  rows(base, from, count) {
    this.#budget.use(count * (WORD + ROW_HEAD));
    const rows = [];
    for (let index = 0; index < count; index += 1) {
      rows.push(this.#row(base + this.#words.size(base + index * WORD), from + BigInt(index)));
    }
    return rows;
  }

  #row(at, sourceIndex) {
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

  #bytes(at) {
    const length = this.#words.size(at);
    this.#budget.use(length);
    return length === 0 ? NOTHING : this.#words.bytes(at + WORD, length);
  }
}
