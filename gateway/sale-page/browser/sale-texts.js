// @ts-check
// The texts about a sale that its page has from the server only. Runs in the browser and on the server.

import { commonCurrency } from "./sale-rules.js";

/**
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {import("./stage-texts.js").StagedSale & import("./tiles.js").Terms &
 *   import("../../../common/sale/figures/what-if.ts").AuctionFacts} ShownFacts the facts that a page's script writes itself
 */

const FIRST = 0x811c9dc5;
const PRIME = 0x01000193;

/** The facts that a page's script writes itself. */
const LIVE = /^(Status|Stage|AsOf|BehindSeconds|Fault|.*(Numerator|Denominator))$/;

/**
 * Returns a short name of the texts about a sale (FNV-1a, 32 bits): while it is the same, a page need not be loaded again.
 * Texts that the page's script writes itself don't count.
 *
 * @param {Partial<SaleFacts>} facts
 */
export function textsKey(facts) {
  const texts = Object.entries({ ...facts, AcceptedAmount: facts.AcceptedAmount === undefined });
  const shown = texts.filter(([name]) => !LIVE.test(name)).sort(([one], [other]) => (one < other ? -1 : 1));
  let hash = FIRST;
  for (const unit of JSON.stringify(shown)) hash = Math.imul(hash ^ Number(unit.codePointAt(0)), PRIME);
  return (hash >>> 0).toString(16);
}

/** The facts of a page that were noted last. @type {ShownFacts | undefined} */
let noted;

/** Notes another state of the sale, for all scripts of a page. @param {ShownFacts} facts */
export function noteFacts(facts) {
  noted = facts;
}

/** Returns the facts about the sale of a page: those noted last, at first the page's own. @returns {ShownFacts} */
export function shownFacts() {
  noted ??= JSON.parse(document.getElementById("tidemark-sale")?.textContent ?? "{}");
  return /** @type {ShownFacts} */ (noted);
}

/**
 * Returns the currency of a sale's amounts.
 *
 * @param {Pick<SaleFacts, "PaymentTokens">} facts
 * @returns {import("./figures.js").Currency}
 */
export function currencyOf({ PaymentTokens }) {
  return commonCurrency(
    PaymentTokens.map(({ Symbol: symbol = "", DollarStablecoin }) => ({ symbol, usdStablecoin: DollarStablecoin })),
  );
}
