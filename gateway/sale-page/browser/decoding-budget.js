// common/contracts/reference/evm/decoding-budget.ts without types, made by `npm run generate`.

const WORD = 32;
const AMOUNT = 3 * WORD;

export class DecodingBudget {
  #words;
  #unused;

  constructor(words) {
    this.#words = words;
    this.#unused = words.length;
  }

  use(bytes) {
    this.#unused -= bytes;
    if (this.#unused < 0) throw new RangeError("the rows overlap or end too early");
  }

  amounts(at) {
    const words = this.#words;
    const count = words.size(at);
    this.use(count * AMOUNT);
    const amounts = [];
    for (let index = 0, next = at + WORD; index < count; index += 1, next += AMOUNT) {
      const [wallet, token] = [words.address(next), words.address(next + WORD)];
      amounts.push({ wallet, token, amount: words.uint256(next + 2 * WORD) });
    }
    return amounts;
  }
}
