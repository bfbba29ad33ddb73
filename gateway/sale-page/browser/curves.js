// @ts-check
// The points of a sale's charts. Runs in the browser and on the server, so that both draw the same.

import { decimalSeparator, decimalText, readableText, withCurrency } from "./numbers.js";
import { language } from "./words.js";

/** Digits of a drawn value that count: more are noise of its arithmetic. */
const DRAWN_DIGITS = 12;
const AXIS_PLACES = 4;
/** Decimals of a number that has any. */
const LEAST_PLACES = 2;
/** A number of digits and separators alone. */
const WRITTEN_OUT = /^[\d.,]+$/;

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {[xs: number[], ys: number[]]} Series
 * @typedef {{ from: number, end: number, value: number }} Period in seconds, with the value at its end
 * @typedef {{ begin: number, end: number }} Range of times in seconds
 * @typedef {{ HighestPriceNumerator: string, HighestPriceDenominator: string, LowestPriceNumerator: string,
 *   LowestPriceDenominator: string, CumulativeAmount: string }} Level
 */

/**
 * Returns a figure over time, in steps: what it is at the end of a period holds until the end of the next one that changes it.
 *
 * @param {readonly Period[]} periods by time ascending
 * @param {boolean} grows whether the figure begins at nothing; else it begins as in the first period
 * @param {Range} [range] the times that are drawn
 * @returns {Series}
 */
export function historySeries(periods, grows, range) {
  const [begin = 0, value = 0] = [periods[0]?.from, periods[0]?.value];
  const first = grows && range ? Math.min(range.begin, begin) : begin;
  let last = grows ? 0 : value;
  /** @type {Series} */
  const [xs, ys] = [[first], [last]];
  const add = (/** @type {number} */ at) => {
    xs.push(at);
    ys.push(last);
  };
  let lastAt = first;
  for (const { end, value } of periods) {
    lastAt = Math.max(end, lastAt);
    if (value === last) continue;
    add(lastAt);
    last = value;
    add(lastAt);
  }
  add(Math.max(lastAt, range?.end ?? lastAt));
  return [xs, ys];
}

/**
 * Returns the value that holds at a time.
 *
 * @param {Series} series in steps, by time ascending
 * @param {number} time
 * @returns {number | undefined} undefined before the first time
 */
export function valueAtTime([xs, ys], time) {
  const after = xs.findIndex((each) => each > time);
  return after < 0 ? ys.at(-1) : ys[after - 1];
}

/**
 * Returns what is bid at a price or more.
 *
 * @param {Series} series by price ascending
 * @param {number} price
 */
export function amountAtPrice([xs, ys], price) {
  const index = xs.findIndex((each) => each >= price);
  if (index < 0) return 0;
  const [right, above = 0] = [xs[index] ?? price, ys[index]];
  const [left = right, below = above] = [xs[index - 1], ys[index - 1]];
  return right === price || right === left ? above : below + ((above - below) * (price - left)) / (right - left);
}

/**
 * Returns the amount bid at a price or more, by price ascending. It falls at each price with bids. Within a level of
 * several prices, whose single amounts aren't known, it falls evenly.
 *
 * @param {readonly Level[]} levels by price descending
 * @param {Units} units
 * @returns {Series}
 */
export function demandSeries(levels, units) {
  /** @type {Series} */
  const series = [[], []];
  for (const [index, level] of levels.entries()) {
    const above = levels[index - 1]?.CumulativeAmount ?? "0";
    series[0].push(priceNumber(level.HighestPriceNumerator, level.HighestPriceDenominator, units));
    series[1].push(numberOf(above, units));
    series[0].push(priceNumber(level.LowestPriceNumerator, level.LowestPriceDenominator, units));
    series[1].push(numberOf(level.CumulativeAmount, units));
  }
  return [series[0].reverse(), series[1].reverse()];
}

/**
 * Extends a curve to a lower price. The amount there is the same as at the curve's lowest price.
 *
 * @param {Series} series
 * @param {number} price
 * @returns {Series}
 */
export function fromPrice([xs, ys], price) {
  const [lowest = 0, total = 0] = [xs[0], ys[0]];
  return price >= lowest
    ? [xs, ys]
    : [
        [price, ...xs],
        [total, ...ys],
      ];
}

/**
 * Returns an amount as a number, exact enough for a drawing.
 *
 * @param {string} amount
 * @param {Units} units
 */
export function numberOf(amount, { payment }) {
  return Number(decimalText(BigInt(amount), payment));
}

/**
 * @param {string} numerator
 * @param {string} denominator
 * @param {Units} units
 */
export function priceNumber(numerator, denominator, { payment, offered = 0 }) {
  return (Number(numerator) / Number(denominator)) * 10 ** (offered - payment);
}

/**
 * Returns a drawn value, written as figures are.
 *
 * @param {number} value
 * @param {import("./figures.js").Currency} currency
 * @param {number} [places] decimals from 1 on
 */
export function drawnText(value, currency, places = 2) {
  return withCurrency(numberText(value, places), currency, language());
}

/**
 * @param {number} value not negative
 * @param {number} places
 */
function numberText(value, places) {
  const [digits = "0", exponent = "0"] = value.toExponential(DRAWN_DIGITS - 1).split("e");
  const power = Number(exponent) - DRAWN_DIGITS + 1;
  const ten = 10n ** BigInt(Math.abs(power));
  const [numerator, denominator] = power < 0 ? [1n, ten] : [ten, 1n];
  return readableText(BigInt(digits.replace(".", "")) * numerator, denominator, language(), { places, isShort: true });
}

/**
 * Returns the numbers of an axis, those that are written out all with the same number of decimals, and none that says nothing.
 *
 * @param {readonly number[]} values
 * @param {boolean} dollars
 */
export function axisTexts(values, dollars) {
  const point = decimalSeparator(language());
  const texts = values.map((value) => numberText(value, AXIS_PLACES));
  const decimals = texts.map((text) => (WRITTEN_OUT.test(text) ? (text.split(point)[1] ?? "").replace(/0+$/, "") : ""));
  const longest = Math.max(...decimals.map(({ length }) => length));
  const places = longest === 0 ? 0 : Math.max(LEAST_PLACES, longest);
  return texts.map((text, index) => {
    const isEven = text === "0" || !WRITTEN_OUT.test(text);
    const end = places === 0 ? "" : point + (decimals[index] ?? "").padEnd(places, "0");
    return withCurrency(isEven ? text : `${text.split(point)[0]}${end}`, { dollars }, language());
  });
}
