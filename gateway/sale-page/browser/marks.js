// @ts-check
// The prices that are marked in the demand of an auction. Runs in the browser and on the server, so that both say the same.

import { priceNumber } from "./curves.js";
import { priceFigure } from "./figures.js";

/** Most bids of a wallet that are marked. */
const MAX_BIDS = 4;

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {{ readonly numerator: string, readonly denominator: string }} Price
 * @typedef {{ clearing?: Price | undefined, floor?: Price | undefined, bids?: readonly Price[] | undefined }} MarkedPrices
 *
 * @typedef {object} Mark
 * @property {"clearing" | "floor" | "bid"} kind
 * @property {number} price for a drawing
 * @property {string} label
 */

/**
 * Returns the marks of prices. Each has a label, so that none is told by its colour alone.
 *
 * @param {MarkedPrices} prices
 * @param {Units} units
 * @returns {readonly Mark[]}
 */
export function marksOf({ clearing, floor, bids = [] }, units) {
  return [
    ...(clearing ? [markOf("clearing", "Clears at", clearing, units)] : []),
    ...(floor ? [markOf("floor", "Floor", floor, units)] : []),
    ...bids.slice(0, MAX_BIDS).map((bid) => markOf("bid", "The wallet bids", bid, units)),
  ];
}

/**
 * @param {Mark["kind"]} kind
 * @param {string} word
 * @param {Price} price
 * @param {Units} units
 * @returns {Mark}
 */
function markOf(kind, word, { numerator, denominator }, units) {
  const { text } = priceFigure(numerator, denominator, units);
  return { kind, price: priceNumber(numerator, denominator, units), label: `${word} ${text}` };
}
