// @ts-check
// The figures that a sale's charts show over time. Runs in the browser and on the server, so that both draw the same.

import { numberOf, priceNumber } from "./curves.js";
import { amountFigure, countFigure, optionalPriceFigure, PRICE_PLACES } from "./numbers.js";

/**
 * @typedef {import("./figures.js").Totals} Totals
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./curves.js").Period} Period
 * @typedef {Omit<Totals, "PaymentTokenDecimals">} Moment the figures of a sale at one time
 * @typedef {{ From: string, Seconds: number } & Moment} HistoryPoint
 *
 * @typedef {object} Measure
 * @property {(moment: Moment, units: Units) => number | undefined} value for a drawing; undefined where there is none at that time
 * @property {(moment: Moment, units: Units) => Figure | undefined} figure the same exactly and as text
 * @property {(units: Units) => Units} units of the drawn values
 * @property {number} places decimals of the drawn values as text
 * @property {boolean} grows whether it begins at nothing
 * @property {boolean} [isPrice] whether it is the auction's price
 * @property {boolean} [isWhole] whether it is a number of things, which has no fractions
 * @property {"historyShows" | "clearingShows" | "countShows"} shows name of the sentence of what its chart shows
 * @property {"nothing" | "noClearing"} nothing name of the text of an empty chart
 */

/** @typedef {"history" | "clearing" | "count"} MeasureName */

/** By the name of their chart. @type {Readonly<Record<MeasureName, Measure>>} */
export const MEASURES = {
  history: {
    value: ({ TotalCommitmentAmount }, units) => numberOf(TotalCommitmentAmount, units),
    figure: ({ TotalCommitmentAmount }, units) => amountFigure(BigInt(TotalCommitmentAmount), units),
    units: (units) => units,
    places: 2,
    grows: true,
    shows: "historyShows",
    nothing: "nothing",
  },
  clearing: {
    value: ({ ClearingPriceNumerator, ClearingPriceDenominator }, units) =>
      ClearingPriceNumerator === undefined || ClearingPriceDenominator === undefined
        ? undefined
        : priceNumber(ClearingPriceNumerator, ClearingPriceDenominator, units),
    figure: ({ ClearingPriceNumerator, ClearingPriceDenominator }, units) =>
      optionalPriceFigure(ClearingPriceNumerator, ClearingPriceDenominator, units),
    units: (units) => units,
    places: PRICE_PLACES,
    grows: false,
    isPrice: true,
    shows: "clearingShows",
    nothing: "noClearing",
  },
  count: {
    value: ({ UniqueCommitmentCount }) => Number(UniqueCommitmentCount),
    figure: ({ UniqueCommitmentCount }, units) => countFigure(UniqueCommitmentCount, units),
    units: (units) => ({ ...units, dollars: false, symbol: "" }),
    places: 0,
    isWhole: true,
    grows: true,
    shows: "countShows",
    nothing: "nothing",
  },
};

/**
 * Whether a figure was nothing all the time, so that there is no curve to draw.
 *
 * @param {Measure} measure
 * @param {readonly Period[]} periods
 */
export function isNothing({ grows }, periods) {
  return grows && periods.every(({ value }) => value === 0);
}

/**
 * Returns the times that a history has, which all charts of a sale have in common; undefined for an empty one.
 *
 * @param {readonly HistoryPoint[]} points by time ascending
 * @param {number} now in seconds
 * @returns {import("./curves.js").Range | undefined}
 */
export function historyRange(points, now) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = Date.parse(last.From) / 1000;
  return { begin: Date.parse(first.From) / 1000, end: Math.min(from + last.Seconds, Math.max(now, from)) };
}

/**
 * Returns the periods of a history in which a figure has a value. The current one ends now.
 *
 * @param {readonly HistoryPoint[]} points by time ascending
 * @param {Measure} measure
 * @param {Units} units
 * @param {number} now in seconds
 * @returns {Period[]}
 */
export function historyPeriods(points, measure, units, now) {
  return points.flatMap((point) => {
    const value = measure.value(point, units);
    if (value === undefined) return [];
    const from = Date.parse(point.From) / 1000;
    return [{ from, end: Math.min(from + point.Seconds, Math.max(now, from)), value }];
  });
}
