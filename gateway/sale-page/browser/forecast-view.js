// @ts-check
// What would come of a wallet's bids if the sale ended as it is. Runs in the browser and on the server, so that both say the same.

import { fill } from "../../web/browser/message.js";
import { bookOf, lowestPriceIn } from "./clearing-rules.js";
import { bidForecast, isToBeRaised } from "./look-up-rules.js";
import { amountFigure, priceFigure } from "./numbers.js";
import { offeredFigure } from "./offer.js";
import { texts } from "./words.js";

/**
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 *
 * @typedef {object} Outcome a figure of what the sale accepts, or would
 * @property {string} label
 * @property {Figure} figure
 *
 * @typedef {import("../../../common/sale/figures/what-if.ts").PublicLevel} PublicLevel
 * @typedef {import("../../../common/sale/figures/what-if.ts").AuctionFacts} AuctionFacts
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 *
 * @typedef {object} ForecastBid a commitment, its state and the amounts of the wallet alone and of all its wallets
 * @property {import("../../../common/sale/state/bid-state.ts").BidState} state
 * @property {bigint} amount
 * @property {bigint} whole
 * @property {{ numerator: bigint, denominator: bigint }} price
 *
 * @typedef {object} ForecastSale
 * @property {AuctionFacts & Pick<SaleFacts, "OfferedToken">} facts
 * @property {Units} units
 * @property {readonly PublicLevel[] | undefined} levels the demand; undefined where it isn't known
 */

/**
 * Returns what would come of a wallet's bids at a price, and what it would take for all of them to be in.
 *
 * @param {readonly ForecastBid[]} bids
 * @param {{ numerator: string, denominator: string } | undefined} price
 * @param {ForecastSale} sale
 * @returns {readonly Outcome[]}
 */
export function forecastOutcomes(bids, price, sale) {
  const { units, facts } = sale;
  // By another rule than the usual one a contract sells while bidding goes on: bids that are out have bought, too.
  const forecast = facts.ClearingRule === undefined ? bidForecast(bids) : undefined;
  if (forecast === undefined) return [];
  const { spent, back } = forecast;
  const { lookUp } = texts();
  return [
    ...(price && BigInt(price.numerator) > 0n ? [tokensOutcome(spent, price, facts.OfferedToken)] : []),
    ...(back && back.most > 0n
      ? [
          {
            label: lookUp.backNow,
            figure: rangeFigure(amountFigure(back.least, units), amountFigure(back.most, units)),
          },
        ]
      : []),
    ...raiseOutcomes(
      bids.filter(({ state }) => isToBeRaised(state)),
      sale,
    ),
  ];
}

/**
 * @param {{ least: bigint, most: bigint }} spent
 * @param {{ numerator: string, denominator: string }} price
 * @param {SaleFacts["OfferedToken"]} token
 * @returns {Outcome}
 */
function tokensOutcome(spent, { numerator, denominator }, token) {
  const [least, most] = [spent.least, spent.most].map((paid) =>
    offeredFigure((paid * BigInt(denominator)) / BigInt(numerator), token),
  );
  return {
    label: texts().lookUp.tokensNow,
    figure: rangeFigure(/** @type {Figure} */ (least), /** @type {Figure} */ (most)),
  };
}

/**
 * Returns the lowest price that would be in, and what the tokens of these bids would cost at it.
 *
 * @param {readonly ForecastBid[]} bids
 * @param {ForecastSale} sale
 * @returns {readonly Outcome[]}
 */
function raiseOutcomes(bids, { facts, units, levels }) {
  const book = levels && bookOf(facts, levels);
  if (book === undefined || bids.length === 0) return [];
  const { numerator, denominator } = book.priceTick;
  const tickBids = bids.map(({ price, whole }) => ({
    ticks: (price.numerator * denominator) / (price.denominator * numerator),
    amount: whole,
  }));
  const lowest = lowestPriceIn(book, tickBids);
  if (lowest === undefined) return [];
  const { lookUp } = texts();
  const figureOf = (/** @type {bigint} */ ticks) => priceFigure(String(ticks * numerator), String(denominator), units);
  const costOf = (/** @type {bigint} */ ticks) =>
    amountFigure(costAt({ numerator: ticks * numerator, denominator }, bids), units);
  return [
    { label: lookUp.lowestIn, figure: rangeFigure(figureOf(lowest.least), figureOf(lowest.most)) },
    { label: lookUp.lowestInCost, figure: rangeFigure(costOf(lowest.least), costOf(lowest.most)) },
  ];
}

/**
 * Returns the cost of as many tokens as bids get at their own prices, rounded up.
 *
 * @param {{ numerator: bigint, denominator: bigint }} price
 * @param {readonly ForecastBid[]} bids
 */
function costAt({ numerator, denominator }, bids) {
  return bids.reduce((sum, { amount, price }) => {
    const [above, below] = [amount * numerator * price.denominator, denominator * price.numerator];
    return below === 0n ? sum : sum + (above + below - 1n) / below;
  }, 0n);
}

/**
 * Returns two bounds as a figure: one where both read the same.
 *
 * @param {Figure} least
 * @param {Figure} most
 * @returns {Figure}
 */
export function rangeFigure(least, most) {
  if (least.text === most.text) return most;
  const { upTo, range } = texts().lookUp;
  const exact = least.exact === "0" ? most.exact : `${least.exact} – ${most.exact}`;
  const text =
    least.exact === "0" ? fill(upTo, { most: most.text }) : fill(range, { least: least.text, most: most.text });
  return { text, exact };
}
