// @ts-check
// The charts of a sale's page: its total over time and, of an auction, its demand by price.

import { Chart } from "./chart.js";
import { demandSeries, historySeries, numberOf, priceNumber } from "./curves.js";
import { amountFigure, priceFigure, unitsOf } from "./figures.js";
import { loadUPlot } from "./load-uplot.js";
import { demandOptions, historyOptions } from "./plot-options.js";

/** Interval at which the service's history replaces the points that came by the stream. */
const HISTORY_INTERVAL_MS = 60_000;
/** Interval at which the demand is loaded again while figures change. */
const DEMAND_INTERVAL_MS = 5_000;
const RETRY_MS = 5_000;
const MAX_LIVE_POINTS = 1_000;

/**
 * @typedef {import("./feed.js").Body} Body
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./curves.js").Series} Series
 */

/** Draws the charts in the page's `figure[data-chart]`. */
export class Charts {
  #api;
  #dollars;
  /** @type {Units | undefined} */
  #units;
  /** @type {Chart | undefined} */
  #history;
  /** @type {Chart | undefined} */
  #demand;
  /** The loaded history. @type {Series | undefined} */
  #past;
  /** @type {Series} */
  #live = [[], []];
  #total = "0";
  #historyAt = -Infinity;
  #demandAt = -Infinity;

  /**
   * @param {string} api path of the sale's public read
   * @param {boolean} dollars
   */
  constructor(api, dollars) {
    this.#api = api;
    this.#dollars = dollars;
  }

  async start() {
    const uPlot = await loadUPlot();
    this.#history = chartIn("history", uPlot, historyOptions);
    this.#demand = chartIn("demand", uPlot, demandOptions);
  }

  /** @param {Body} body */
  update(body) {
    this.#units = unitsOf(body, this.#dollars);
    const now = performance.now();
    if (now - this.#historyAt > HISTORY_INTERVAL_MS) void this.#loadHistory(now);
    if (now - this.#demandAt > DEMAND_INTERVAL_MS) void this.#loadDemand(now);
    this.#total = body.TotalCommitmentAmount;
    this.#addLive(this.#units);
    this.#drawHistory(this.#units);
    this.#markClearing(body, this.#units);
  }

  /** @param {number} now */
  async #loadHistory(now) {
    this.#historyAt = now;
    const units = this.#units;
    const answer = await readJson(`${this.#api}/history`);
    if (units === undefined || this.#history === undefined) return;
    if (answer === undefined) {
      if (this.#past === undefined) this.#history.showNothing("The chart can’t be drawn at the moment.");
      this.#historyAt = now - HISTORY_INTERVAL_MS + RETRY_MS;
      return;
    }
    this.#past = historySeries(answer.Points, units, Date.now() / 1000);
    this.#live = [[], []];
    this.#addLive(units);
    this.#drawHistory(units);
  }

  /** @param {number} now */
  async #loadDemand(now) {
    if (this.#demand === undefined || this.#units === undefined) return;
    this.#demandAt = now;
    const answer = await readJson(`${this.#api}/demand`);
    if (answer === undefined) return;
    if (answer.Levels.length === 0) this.#demand.showNothing("There are no bids yet.");
    else this.#demand.show(demandSeries(answer.Levels, this.#units), this.#units);
    this.#describeDemand();
  }

  /** @param {Units} units */
  #addLive(units) {
    const [xs, ys] = this.#live;
    const last = xs.at(-1) ?? this.#past?.[0].at(-1) ?? 0;
    xs.push(Math.max(Date.now() / 1000, last));
    ys.push(numberOf(this.#total, units));
    if (xs.length > MAX_LIVE_POINTS) for (const list of this.#live) list.shift();
  }

  /** @param {Units} units */
  #drawHistory(units) {
    const [past, live] = [this.#past, this.#live];
    if (past === undefined) return;
    if (past[0].length === 0 && this.#total === "0") {
      this.#history?.showNothing("Nothing is committed yet.");
      return;
    }
    this.#history?.show(
      [
        [...past[0], ...live[0]],
        [...past[1], ...live[1]],
      ],
      units,
    );
    this.#history?.describe(`${amountFigure(BigInt(this.#total), units).text} now`);
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
 * @param {string} name
 * @param {any} uPlot
 * @param {(chart: Chart, uPlot: any) => object} options
 */
function chartIn(name, uPlot, options) {
  const figure = document.querySelector(`figure[data-chart="${name}"]`);
  return figure instanceof HTMLElement ? new Chart(figure, uPlot, options) : undefined;
}

/** @param {string} path */
async function readJson(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}
