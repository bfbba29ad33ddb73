// @ts-check
// What would come of a bid, in words.

import { fill } from "../../web/browser/message.js";
import { asMuchAgainAbove, bookOf, highestTicks, ticksAtMost, whatIf } from "./clearing-rules.js";
import { rangeFigure } from "./forecast-view.js";
import { bidStateTexts } from "./look-up-texts.js";
import { priceFigure } from "./numbers.js";
import { offeredFigure } from "./offer.js";
import { texts } from "./words.js";

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {{ numerator: bigint, denominator: bigint }} Fraction
 * @typedef {import("../../../common/sale/figures/what-if.ts").Bounds} Bounds
 * @typedef {import("./forecast-view.js").ForecastSale} ForecastSale
 *
 * @typedef {object} WhatIfView
 * @property {string} badge the bid's state in a word or two
 * @property {string} detail the state in a sentence
 * @property {readonly import("./position-view.js").Outcome[]} outcomes
 * @property {readonly string[]} notes
 * @property {import("./marks.js").Price} price at which it counts
 */

/**
 * Returns what would come of a bid.
 *
 * @param {{ price: Fraction, amount: Fraction }} entry for a whole token, and in whole units of payment
 * @param {ForecastSale} sale
 * @returns {WhatIfView | { refusal: string } | undefined} the reason why no bid can be like that; undefined where it can't be worked out
 */
export function whatIfView({ price, amount }, { facts, units, levels }) {
  const book = levels && bookOf(facts, levels);
  if (book === undefined) return undefined;
  const { payment, offered = 0 } = units;
  const wanted = {
    numerator: price.numerator * 10n ** BigInt(payment),
    denominator: price.denominator * 10n ** BigInt(offered),
  };
  const ticks = ticksAtMost(wanted, book.priceTick);
  const priceOf = (/** @type {bigint} */ at) =>
    priceFigure(String(at * book.priceTick.numerator), String(book.priceTick.denominator), units);
  const words = texts().whatIf;
  const highest = highestTicks(book.width);
  if (ticks > highest) return { refusal: fill(words.tooHigh, { price: priceOf(highest).text }) };
  const bid = { ticks, amount: (amount.numerator * 10n ** BigInt(payment)) / amount.denominator };
  if (bid.amount === 0n) return { refusal: words.tooSmall };
  const now = whatIf(book, bid);
  const again = whatIf(book, bid, [asMuchAgainAbove(book, ticks)]);
  const counted = { numerator: ticks * book.priceTick.numerator, denominator: book.priceTick.denominator };
  const tokensOf = (/** @type {Bounds} */ { least, most }) =>
    rangeFigure(offeredFigure(least, facts.OfferedToken), offeredFigure(most, facts.OfferedToken));
  const isRounded = counted.numerator * wanted.denominator !== wanted.numerator * counted.denominator;
  const isRange = book.levels.some(({ lowestTick, highestTick }) => lowestTick !== highestTick);
  return {
    ...stateOf(now.outcomes),
    outcomes: [
      { label: words.now, figure: tokensOf(now.tokens) },
      { label: words.again, figure: tokensOf(again.tokens) },
      { label: words.clears, figure: rangeFigure(priceOf(now.clearing.least), priceOf(now.clearing.most)) },
    ],
    notes: [
      ...(isRounded ? [fill(words.rounded, { price: priceOf(ticks).text })] : []),
      ...(isRange ? [words.ranges] : []),
      words.basis,
    ],
    price: { numerator: String(counted.numerator), denominator: String(counted.denominator) },
  };
}

/** @param {readonly import("../../../common/sale/figures/position.ts").ClearingOutcome[]} outcomes */
function stateOf([first = "out", ...others]) {
  const { either, eitherDetail } = texts().whatIf;
  return others.length > 0 ? { badge: either, detail: eitherDetail } : bidStateTexts(first);
}
