// @ts-check

import { fill } from "../../web/browser/message.js";
import { historySeries } from "./curves.js";
import { datedText, endOf } from "./freshness.js";
import { historyPeriods, historyRange, isNothing } from "./measures.js";
import { printedText } from "./printed-text.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

const MAX_LIVE_PERIODS = 1_000;

/**
 * @typedef {import("./chart.js").Chart} Chart
 * @typedef {import("./chart-table.js").ChartTable} ChartTable
 * @typedef {import("./measures.js").HistoryPoint} HistoryPoint
 * @typedef {import("./curves.js").Period} Period
 * @typedef {import("./curves.js").Range} Range
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./measures.js").Measure} Measure
 * @typedef {import("./measures.js").Moment} Moment
 *
 * @typedef {object} HistoryParts
 * @property {Chart} chart
 * @property {ChartTable} table
 * @property {Measure} measure
 * @property {(point: HistoryPoint, units: Units) => Figure[]} cells a row of the table
 */

/** One figure over time: the history that the service has, and since then what came by the stream. */
export class HistoryChart {
  #parts;
  /** The loaded history. @type {Period[] | undefined} */
  #past;
  /** The times of the loaded history. @type {Range | undefined} */
  #range;
  /** The values since. @type {Period[]} */
  #live = [];
  /** @type {Moment | undefined} */
  #present;
  /** @type {import("./freshness.js").Freshness} */
  #freshness = { name: "now", isStale: false, until: 0, block: null };
  /** @type {import("../../../common/sale/figures/offer-state.ts").OfferPrice["kind"] | undefined} */
  #price;
  /** Units of what is drawn. @type {Units | undefined} */
  #units;

  /** @param {HistoryParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {Moment} present
   * @param {import("../../../common/sale/figures/offer-state.ts").OfferPrice["kind"] | undefined} price what its price is
   * @param {import("./freshness.js").Freshness} freshness of the present: the curve ends now, where its figures end, or with the last change
   * @param {Units} units
   */
  takePresent(present, price, freshness, units) {
    this.#present = present;
    this.#price = price;
    this.#freshness = freshness;
    this.#addLive(units);
  }

  /**
   * @param {readonly HistoryPoint[]} points
   * @param {Units} units
   */
  takeHistory(points, units) {
    const { measure, table, cells } = this.#parts;
    this.#past = historyPeriods(points, measure, units, this.#end);
    this.#range = historyRange(points, this.#end);
    this.#live = [];
    this.#addLive(units);
    table.show(points.toReversed(), (point) => cells(point, units), texts().chart[measure.nothing]);
  }

  /** Says of the present figure what stays true of it on paper, or again what is true now. @param {boolean} isPaper */
  describe(isPaper) {
    const { chart, measure } = this.#parts;
    if (this.#present === undefined || this.#units === undefined || !chart.isDrawn) return;
    const text = measure.figure(this.#present, this.#units)?.text ?? "";
    const figure = measure.isPrice && this.#price === "floor" ? fill(texts().chart.floor, { price: text }) : text;
    const dated = isPaper ? printedText(figure, this.#freshness, Date.now()) : datedText(figure, this.#freshness);
    chart.describe(dated, this.#sentence(text));
  }

  /** Returns what the curve shows, in a sentence. @param {string} last its last figure */
  #sentence(last) {
    const { chart, measure } = this.#parts;
    const values = [...(this.#past ?? []), ...this.#live].map(({ value }) => value);
    const first = measure.grows ? 0 : (values[0] ?? 0);
    const { begin, end } = chart.range ?? { begin: 0, end: 0 };
    const number = (/** @type {number} */ value) => chart.number(value, chart.places);
    return fill(texts().chart[measure.shows], {
      begin: timeText(1000 * begin, "minute"),
      end: timeText(1000 * end, "minute"),
      first: number(first),
      last,
      lowest: number(Math.min(...values)),
      highest: number(Math.max(...values)),
    });
  }

  /** Says that there is no history to draw. @param {string} message */
  showUnreadable(message) {
    if (this.#past === undefined) this.#parts.chart.showNothing(message);
  }

  /** The latest time that is drawn, in seconds. */
  get #end() {
    return endOf(this.#freshness, Date.now() / 1000);
  }

  /** @param {Units} units */
  #addLive(units) {
    const value = this.#present && this.#parts.measure.value(this.#present, units);
    if (value === undefined) return;
    const end = this.#end;
    // Drawn before it was known that they end earlier.
    this.#live = this.#live.filter((period) => period.end <= end);
    const before = this.#live.at(-1) ?? this.#past?.at(-1);
    const at = Math.max(end, before?.end ?? 0);
    if (before?.value === value && (this.#freshness.name === "over" || at === before.end)) return;
    this.#live.push({ from: at, end: at, value });
    if (this.#live.length > MAX_LIVE_PERIODS) this.#live.shift();
  }

  /** The times that the history and what came since take; undefined as long as neither is known. @returns {Range | undefined} */
  get range() {
    const last = this.#live.at(-1)?.end;
    if (this.#range === undefined) return last === undefined ? undefined : { begin: last, end: last };
    return { ...this.#range, end: Math.max(this.#range.end, last ?? 0) };
  }

  /**
   * @param {Units} units
   * @param {Range | undefined} range the times that it shows, which other charts show, too
   */
  draw(units, range) {
    if (this.#past === undefined || this.#present === undefined) return;
    const { chart, measure } = this.#parts;
    const periods = [...this.#past, ...this.#live];
    const text = measure.figure(this.#present, units)?.text;
    if (text === undefined || periods.length === 0 || isNothing(measure, periods)) {
      chart.showNothing(texts().chart[measure.nothing]);
      return;
    }
    chart.places = measure.places;
    chart.range = range;
    chart.show(historySeries(periods, measure.grows, range), measure.units(units));
    this.#units = units;
    this.describe("paper" in document.documentElement.dataset);
  }
}
