// @ts-check
// The prices that are marked in the demand of an auction. Runs in the browser and on the server, so that both say the same.

import { fill } from "../../web/browser/message.js";
import { priceNumber } from "./curves.js";
import { priceFigure } from "./numbers.js";
import { texts } from "./words.js";

/** Most bids of a wallet that are marked. */
const MAX_BIDS = 4;

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {{ readonly numerator: string, readonly denominator: string }} Price
 * @typedef {{ clearing?: Price | undefined, floor?: Price | undefined, bids?: readonly Price[] | undefined, tried?: Price | undefined }} MarkedPrices
 *
 * @typedef {object} Mark
 * @property {"clearing" | "floor" | "bid" | "tried"} kind
 * @property {number} price for a drawing
 * @property {string} label
 * @property {boolean} sells whether the sale sells at this price now
 * @property {string} short the label without the token's symbol, to draw, as a symbol may be longer than a chart is wide
 */

/**
 * Returns where the labels of marked lines begin: on the side of the line where they fit and cross the fewest of the others. One
 * that fits on neither side crosses its own line rather than an edge.
 *
 * @param {readonly { readonly x: number, readonly width: number }[]} lines positions, and widths of their labels
 * @param {number} gap between a line and its label
 * @param {{ readonly left: number, readonly right: number }} plot with the numbers of an axis left of it, where labels without room may be
 * @returns {readonly number[]}
 */
export function labelStarts(lines, gap, { left, right }) {
  return lines.map(({ x, width }) => {
    const crossed = (/** @type {number} */ from) => {
      if (from < left || from + width > right) return Infinity;
      return lines.filter((other) => other.x > from - gap && other.x < from + width + gap && other.x !== x).length;
    };
    const [before, after] = [x - gap - width, x + gap];
    const [crossedBefore, crossedAfter] = [crossed(before), crossed(after)];
    const isBefore = crossedBefore === crossedAfter ? x > (left + right) / 2 : crossedBefore < crossedAfter;
    return Math.max(0, Math.min(isBefore ? before : after, right - width));
  });
}

/**
 * Returns a price to mark; undefined where there is none.
 *
 * @param {string | undefined} numerator
 * @param {string | undefined} denominator
 * @returns {Price | undefined}
 */
export function priceOf(numerator, denominator) {
  return numerator === undefined || denominator === undefined ? undefined : { numerator, denominator };
}

/**
 * Returns the marks of prices. Each has a label, so that none is known by its colour alone.
 *
 * @param {MarkedPrices} prices
 * @param {Units} units
 * @returns {readonly Mark[]}
 */
export function marksOf({ clearing, floor, bids = [], tried }, units) {
  const { chart } = texts();
  return [
    ...(clearing ? [{ ...markOf("clearing", chart.clears, clearing, units), sells: true }] : []),
    ...(floor ? [{ ...markOf("floor", chart.floor, floor, units), sells: clearing === undefined }] : []),
    ...bids.slice(0, MAX_BIDS).map((bid) => markOf("bid", chart.bid, bid, units)),
    ...(tried ? [markOf("tried", chart.tried, tried, units)] : []),
  ];
}

/**
 * @param {Mark["kind"]} kind
 * @param {import("../../../common/platform/language/message.ts").Message<"price">} message
 * @param {Price} price
 * @param {Units} units
 * @returns {Mark}
 */
function markOf(kind, message, { numerator, denominator }, units) {
  const label = (/** @type {Units} */ as) => fill(message, { price: priceFigure(numerator, denominator, as).text });
  const price = priceNumber(numerator, denominator, units);
  return { kind, price, sells: false, label: label(units), short: label({ ...units, symbol: "" }) };
}
