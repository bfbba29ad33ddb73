// common/sale/figures/amount.ts without types, made by `npm run generate`.

export function normaliseAmount(amount, tokenDecimals, paymentTokenDecimals) {
  const difference = paymentTokenDecimals - tokenDecimals;
  if (difference === 0) return amount;
  return difference > 0 ? amount * 10n ** BigInt(difference) : amount / 10n ** BigInt(-difference);
}

export class AmountNormaliser {
  #decimals;
  #paymentTokenDecimals;

  constructor({ paymentTokens, paymentTokenDecimals }) {
    this.#decimals = new Map(paymentTokens.map(({ address, decimals }) => [address, decimals]));
    this.#paymentTokenDecimals = paymentTokenDecimals;
  }

  normalise(token, amount) {
    const decimals = this.#decimals.get(token);
    if (decimals === undefined) throw new RangeError(`${token} is not a payment token of the sale`);
    return normaliseAmount(amount, decimals, this.#paymentTokenDecimals);
  }

  sum(amounts) {
    return amounts.reduce((sum, { token, amount }) => (amount === 0n ? sum : sum + this.normalise(token, amount)), 0n);
  }
}
