// @ts-check
// The charts of a sale's page: its total over time and, of an auction, its demand by price.

import { Chart } from "./chart.js";
import { ChartTable } from "./chart-table.js";
import { demandSeries, historyPeriods, historySeries, numberOf, priceNumber } from "./curves.js";
import { fetchInTime } from "./deadline.js";
import { amountFigure, countFigure, priceFigure, unitsOf } from "./figures.js";
import { loadUPlot } from "./load-uplot.js";
import { demandOptions, historyOptions } from "./plot-options.js";
import { momentText } from "./row-texts.js";

/** Interval at which the service's history replaces the points that came by the stream. */
const HISTORY_INTERVAL_MS = 60_000;
/** Interval at which the demand is loaded again while figures change. */
const DEMAND_INTERVAL_MS = 5_000;
const RETRY_MS = 5_000;
const MAX_LIVE_PERIODS = 1_000;
const NOTHING = "Nothing is committed yet.";
const NO_BIDS = "There are no bids yet.";
const UNREADABLE = "The chart can’t be drawn at the moment.";

/**
 * @typedef {import("./feed.js").Body} Body
 * @typedef {import("./figures.js").Currency} Currency
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./curves.js").Period} Period
 * @typedef {import("./curves.js").HistoryPoint} HistoryPoint
 * @typedef {import("./curves.js").Level} Level
 */

/** Draws the charts in the page's `figure[data-chart]`. */
export class Charts {
  #api;
  #currency;
  /** @type {Units | undefined} */
  #units;
  /** @type {Chart | undefined} */
  #history;
  /** @type {Chart | undefined} */
  #demand;
  #historyTable = new ChartTable("history");
  #demandTable = new ChartTable("demand");
  /** The loaded history. @type {Period[] | undefined} */
  #past;
  /** The totals since. @type {Period[]} */
  #live = [];
  #total = "0";
  #isOver = false;
  #historyAt = -Infinity;
  #demandAt = -Infinity;

  /**
   * @param {string} api path of the sale's public read
   * @param {Currency} currency
   */
  constructor(api, currency) {
    this.#api = api;
    this.#currency = currency;
  }

  async start() {
    const uPlot = await loadUPlot();
    this.#history = chartIn("history", uPlot, historyOptions);
    this.#demand = chartIn("demand", uPlot, demandOptions);
  }

  /**
   * @param {Body} body
   * @param {boolean} isOver whether the curve ends with the last change instead of now
   */
  update(body, isOver) {
    this.#units = unitsOf(body, this.#currency);
    const now = performance.now();
    if (now - this.#historyAt > HISTORY_INTERVAL_MS) void this.#loadHistory(now);
    if (now - this.#demandAt > DEMAND_INTERVAL_MS) void this.#loadDemand(now);
    this.#total = body.TotalCommitmentAmount;
    this.#isOver = isOver;
    this.#addLive(this.#units);
    this.#drawHistory(this.#units);
    this.#markClearing(body, this.#units);
  }

  /** @param {number} now */
  async #loadHistory(now) {
    this.#historyAt = now;
    const answer = await readJson(`${this.#api}/history`);
    const units = this.#units;
    if (units === undefined || this.#history === undefined) return;
    if (answer === undefined) {
      if (this.#past === undefined) this.#history.showNothing(UNREADABLE);
      this.#historyAt = now - HISTORY_INTERVAL_MS + RETRY_MS;
      return;
    }
    /** @type {readonly HistoryPoint[]} */
    const points = answer.Points;
    this.#past = historyPeriods(points, units, Date.now() / 1000);
    this.#live = [];
    this.#addLive(units);
    this.#drawHistory(units);
    this.#historyTable.show(points.toReversed(), (point) => historyCells(point, units), NOTHING);
  }

  /** @param {number} now */
  async #loadDemand(now) {
    if (this.#demand === undefined) return;
    this.#demandAt = now;
    const answer = await readJson(`${this.#api}/demand`);
    const units = this.#units;
    if (units === undefined) return;
    if (answer === undefined) {
      if (!this.#demand.isDrawn) this.#demand.showNothing(UNREADABLE);
      return;
    }
    /** @type {readonly Level[]} */
    const levels = answer.Levels;
    if (levels.length === 0) this.#demand.showNothing(NO_BIDS);
    else this.#demand.show(demandSeries(levels, units), units);
    this.#describeDemand();
    this.#demandTable.show(levels, (level) => demandCells(level, units), NO_BIDS);
  }

  /** @param {Units} units */
  #addLive(units) {
    const before = this.#live.at(-1) ?? this.#past?.at(-1);
    const value = numberOf(this.#total, units);
    if (this.#isOver && before?.value === value) return;
    const at = Math.max(Date.now() / 1000, before?.end ?? 0);
    this.#live.push({ from: at, end: at, value });
    if (this.#live.length > MAX_LIVE_PERIODS) this.#live.shift();
  }

  /** @param {Units} units */
  #drawHistory(units) {
    if (this.#past === undefined) return;
    if (this.#past.length === 0 && this.#total === "0") {
      this.#history?.showNothing(NOTHING);
      return;
    }
    this.#history?.show(historySeries([...this.#past, ...this.#live]), units);
    const { text } = amountFigure(BigInt(this.#total), units);
    this.#history?.describe(this.#isOver ? text : `${text} now`);
  }

  /**
   * @param {Body} body
   * @param {Units} units
   */
  #markClearing({ ClearingPriceNumerator, ClearingPriceDenominator }, units) {
    if (ClearingPriceNumerator === undefined || ClearingPriceDenominator === undefined) return;
    const { text } = priceFigure(ClearingPriceNumerator, ClearingPriceDenominator, units);
    const price = priceNumber(ClearingPriceNumerator, ClearingPriceDenominator, units);
    this.#demand?.mark({ price, text });
    this.#describeDemand();
  }

  #describeDemand() {
    const text = this.#demand?.marked?.text;
    if (text !== undefined && this.#demand?.isDrawn === true) this.#demand.describe(`Clears at ${text}`);
  }
}

/**
 * Returns the row of a period: its end, total and count.
 *
 * @param {HistoryPoint} point
 * @param {Units} units
 * @returns {Figure[]}
 */
function historyCells({ From, Seconds, TotalCommitmentAmount, UniqueCommitmentCount }, units) {
  const end = new Date(Math.min(Date.parse(From) + Seconds * 1000, Date.now())).toISOString();
  return [
    { text: momentText(end), exact: end },
    amountFigure(BigInt(TotalCommitmentAmount), units),
    countFigure(UniqueCommitmentCount),
  ];
}

/**
 * Returns the row of a level: its price, and what is bid at it or above.
 *
 * @param {Level} level
 * @param {Units} units
 * @returns {Figure[]}
 */
function demandCells({ LowestPriceNumerator, LowestPriceDenominator, CumulativeAmount }, units) {
  const price = priceFigure(LowestPriceNumerator, LowestPriceDenominator, units);
  return [price, amountFigure(BigInt(CumulativeAmount), units)];
}

/**
 * @param {string} name
 * @param {any} uPlot
 * @param {(chart: Chart, uPlot: any) => object} options
 */
function chartIn(name, uPlot, options) {
  const figure = document.querySelector(`figure[data-chart="${name}"]`);
  return figure instanceof HTMLElement ? new Chart(figure, uPlot, options) : undefined;
}

/**
 * Returns a document of the public read; undefined where it can't be read now.
 *
 * @param {string} url
 */
async function readJson(url) {
  try {
    const answer = await fetchInTime(url);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
