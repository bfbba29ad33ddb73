// @ts-check

import { fill } from "../../web/browser/message.js";
import { historySeries } from "./curves.js";
import { historyPeriods } from "./measures.js";
import { texts } from "./words.js";

const MAX_LIVE_PERIODS = 1_000;

/**
 * @typedef {import("./chart.js").Chart} Chart
 * @typedef {import("./chart-table.js").ChartTable} ChartTable
 * @typedef {import("./measures.js").HistoryPoint} HistoryPoint
 * @typedef {import("./curves.js").Period} Period
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
  /** The values since. @type {Period[]} */
  #live = [];
  /** @type {Moment | undefined} */
  #present;
  #isOver = false;

  /** @param {HistoryParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {Moment} present
   * @param {boolean} isOver whether the curve ends with the last change instead of now
   * @param {Units} units
   */
  takePresent(present, isOver, units) {
    this.#present = present;
    this.#isOver = isOver;
    this.#addLive(units);
    this.#draw(units);
  }

  /**
   * @param {readonly HistoryPoint[]} points
   * @param {Units} units
   */
  takeHistory(points, units) {
    const { measure, table, cells } = this.#parts;
    this.#past = historyPeriods(points, measure, units, Date.now() / 1000);
    this.#live = [];
    this.#addLive(units);
    this.#draw(units);
    table.show(points.toReversed(), (point) => cells(point, units), texts().chart[measure.nothing]);
  }

  /** Says that there is no history to draw. @param {string} message */
  showUnreadable(message) {
    if (this.#past === undefined) this.#parts.chart.showNothing(message);
  }

  /** @param {Units} units */
  #addLive(units) {
    const value = this.#present && this.#parts.measure.value(this.#present, units);
    if (value === undefined) return;
    const before = this.#live.at(-1) ?? this.#past?.at(-1);
    if (this.#isOver && before?.value === value) return;
    const at = Math.max(Date.now() / 1000, before?.end ?? 0);
    this.#live.push({ from: at, end: at, value });
    if (this.#live.length > MAX_LIVE_PERIODS) this.#live.shift();
  }

  /** @param {Units} units */
  #draw(units) {
    if (this.#past === undefined || this.#present === undefined) return;
    const { chart, measure } = this.#parts;
    const periods = [...this.#past, ...this.#live];
    const text = measure.figure(this.#present, units)?.text;
    if (text === undefined || (this.#past.length === 0 && periods.every(({ value }) => value === 0))) {
      chart.showNothing(texts().chart[measure.nothing]);
      return;
    }
    chart.show(historySeries(periods, measure.grows), measure.units(units));
    chart.describe(this.#isOver ? text : fill(texts().chart.now, { figure: text }));
  }
}
