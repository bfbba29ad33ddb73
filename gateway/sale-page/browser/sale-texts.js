// @ts-check
// The texts about a sale that its page has from the server only. Runs in the browser and on the server.

/**
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {import("./countdown.js").TimedSale & import("./stage-texts.js").StagedSale & import("./tiles.js").Terms} ShownFacts the
 *   facts that a page's script writes itself
 */

const FIRST = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Returns a short name of the texts about a sale (FNV-1a, 32 bits): while it is the same, a page need not be loaded again.
 * What the page's script writes itself doesn't count.
 *
 * @param {Partial<SaleFacts>} facts
 */
export function textsKey({ Name, Description, Website, LogoURL, Contract, Signer, ...facts }) {
  const { Pricing, PaymentTokens, OfferedToken, OpensAt, ClosesAt, AcceptedAmount } = facts;
  const terms = [Pricing, PaymentTokens, OfferedToken, OpensAt, ClosesAt, AcceptedAmount === undefined];
  const texts = [Name, Description, Website, LogoURL, Contract, Signer, ...terms];
  let hash = FIRST;
  for (const unit of JSON.stringify(texts)) hash = Math.imul(hash ^ Number(unit.codePointAt(0)), PRIME);
  return (hash >>> 0).toString(16);
}

/**
 * Returns the currency of a sale's amounts.
 *
 * @param {Pick<SaleFacts, "PaymentTokens">} facts
 * @returns {import("./figures.js").Currency}
 */
export function currencyOf({ PaymentTokens }) {
  const [first, ...others] = PaymentTokens;
  return {
    dollars: PaymentTokens.length > 0 && PaymentTokens.every(({ DollarStablecoin }) => DollarStablecoin),
    symbol: others.every(({ Symbol: symbol }) => symbol === first?.Symbol) ? (first?.Symbol ?? "") : "",
  };
}
