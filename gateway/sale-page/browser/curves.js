// @ts-check
// The points of a sale's charts. Runs in the browser and on the server, so that both draw the same.

import { perLanguage } from "../../web/browser/message.js";
import { decimalSeparator, decimalText, powerText, withCurrency } from "./numbers.js";
import { language } from "./words.js";

const LARGEST_COMPACT = 1e15;
const FAR_DECIMALS = 3;
/** The shortest pause that is drawn, as a share of the time shown. */
const LEAST_PAUSE = 1 / 20;

/**
 * @typedef {import("./figures.js").Units} Units
 * @typedef {[xs: number[], ys: number[]]} Series
 * @typedef {{ from: number, end: number, value: number }} Period in seconds, with the value at its end
 * @typedef {{ HighestPriceNumerator: string, HighestPriceDenominator: string, LowestPriceNumerator: string,
 *   LowestPriceDenominator: string, CumulativeAmount: string }} Level
 */

/**
 * Returns a figure over time. Within a period it changes evenly, as nobody knows when in it amounts came. Between periods it
 * stays the same; that is drawn where it takes long enough to be seen. Otherwise a steady sale would be a staircase.
 *
 * @param {readonly Period[]} periods by time ascending
 * @param {boolean} grows whether the figure begins at nothing; else it begins as in the first period
 * @returns {Series}
 */
export function historySeries(periods, grows) {
  /** @type {Series} */
  const [xs, ys] = [[], []];
  const begin = periods[0]?.from ?? 0;
  const leastPause = ((periods.at(-1)?.end ?? 0) - begin) * LEAST_PAUSE;
  let [lastAt, last] = [-Infinity, grows ? 0 : (periods[0]?.value ?? 0)];
  for (const { from, end, value } of periods) {
    if (from - lastAt > leastPause) {
      xs.push(from);
      ys.push(last);
    }
    [lastAt, last] = [Math.max(end, lastAt), value];
    xs.push(lastAt);
    ys.push(last);
  }
  return [xs, ys];
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
 * @param {number} value
 * @param {import("./figures.js").Currency} currency
 */
export function compactText(value, currency) {
  return withCurrency(numberText(value), currency, language());
}

/** @param {number} value */
function numberText(value) {
  const isFar = value >= LARGEST_COMPACT || (value > 0 && value < 1e-6);
  if (isFar) {
    const [digits = "", exponent] = value.toExponential(FAR_DECIMALS).split("e");
    return powerText(digits.replace(".", ""), Number(exponent), language());
  }
  const { compact, small } = chartFormats();
  return (value >= 1000 ? compact : small).format(value);
}

/**
 * Returns the numbers of an axis, all with the same number of decimals.
 *
 * @param {readonly number[]} values
 * @param {boolean} dollars
 */
export function axisTexts(values, dollars) {
  const point = decimalSeparator(language());
  const texts = values.map(numberText);
  const decimals = texts.map((text, index) => (isInDigits(values[index] ?? 0) ? (text.split(point)[1] ?? "") : ""));
  const places = Math.max(0, ...decimals.map(({ length }) => length));
  return texts.map((text, index) => {
    const isEven = (values[index] ?? 0) === 0 || !isInDigits(values[index] ?? 0) || places === 0;
    const even = isEven ? text : `${text.split(point)[0]}${point}${(decimals[index] ?? "").padEnd(places, "0")}`;
    return withCurrency(even, { dollars }, language());
  });
}

/** Whether a number is written with digits and a separator alone. @param {number} value */
function isInDigits(value) {
  return value === 0 || (value < 1000 && value >= 1e-6);
}

/** Returns the formats of short numbers in the language that is written. */
function chartFormats() {
  return formats(language());
}

const formats = perLanguage((tag) => ({
  compact: new Intl.NumberFormat(tag, { notation: "compact", maximumSignificantDigits: 4 }),
  small: new Intl.NumberFormat(tag, { maximumSignificantDigits: 4 }),
}));
