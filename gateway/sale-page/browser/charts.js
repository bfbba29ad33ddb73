// @ts-check
// The charts of a sale's page: its total, number of commitments and clearing price over time and, of an auction, its demand by
// price.

import { fill } from "../../web/browser/message.js";
import { Chart } from "./chart.js";
import { ChartTable } from "./chart-table.js";
import { watchTabs } from "./chart-tabs.js";
import { demandSeries } from "./curves.js";
import { fetchInTime } from "./deadline.js";
import { shortUnits, unitsOf } from "./figures.js";
import { freshnessOf } from "./freshness.js";
import { HistoryChart } from "./history-chart.js";
import { loadLaterStyles } from "./later-styles.js";
import { loadUPlot } from "./load-uplot.js";
import { marksOf, priceOf } from "./marks.js";
import { MEASURES } from "./measures.js";
import { amountFigure, priceFigure } from "./numbers.js";
import { offerState } from "./offer-rules.js";
import { BIDS_EVENT, ownBids, triedPrice } from "./own-bids.js";
import { demandOptions, historyOptions } from "./plot-options.js";
import { Reloads } from "./reloads.js";
import { offeredNumber } from "./supply-line.js";
import { timeText } from "./times.js";
import { utcText } from "./times-view.js";
import { texts } from "./words.js";

/** Interval at which the service's history replaces the points that came by the stream. */
const HISTORY_INTERVAL_MS = 60_000;
/** Interval at which the demand is loaded again while figures change. */
const DEMAND_INTERVAL_MS = 5_000;
/** Distance from the visible part of the page at which charts are kept current. */
const MARGIN = "200px";

/**
 * @typedef {import("./feed.js").Body} Body
 * @typedef {import("./figures.js").Currency} Currency
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./marks.js").Price} Price
 * @typedef {import("./measures.js").HistoryPoint} HistoryPoint
 * @typedef {import("./measures.js").MeasureName} MeasureName
 * @typedef {import("./curves.js").Level} Level
 * @typedef {import("./curves.js").Range} Range
 */

/** Figures in the row of a period's table, besides the time. @type {Record<MeasureName, readonly MeasureName[]>} */
const COLUMNS = { history: ["history", "count"], clearing: ["clearing"], count: ["count"] };

/** Draws the charts in the page's `figure[data-chart]`. */
export class Charts {
  #api;
  #currency;
  /** @type {Units | undefined} */
  #units;
  /** @type {Chart[]} */
  #charts = [];
  /** @type {HistoryChart[]} */
  #histories = [];
  /** @type {Chart | undefined} */
  #demand;
  #demandTable = new ChartTable("demand");
  /** The loaded demand. @type {readonly Level[]} */
  #levels = [];
  /** The clearing price, once the auction clears. @type {Price | undefined} */
  #clearing;
  #historyLoads = new Reloads();
  #wasPast = false;
  #demandLoads = new Reloads();
  /** Whether a chart has been near the visible part of the page. */
  #isSeen = false;

  /**
   * @param {string} api path of the sale's public read
   * @param {Currency} currency
   */
  constructor(api, currency) {
    this.#api = api;
    this.#currency = currency;
  }

  async start() {
    const [uPlot] = await Promise.all([loadUPlot(), loadLaterStyles()]);
    for (const name of /** @type {MeasureName[]} */ (Object.keys(MEASURES))) {
      const chart = this.#chartIn(name, uPlot, (chart, uPlot) => historyOptions(chart, uPlot, MEASURES[name]));
      const parts = { table: new ChartTable(name), measure: MEASURES[name] };
      if (chart !== undefined)
        this.#histories.push(new HistoryChart({ ...parts, chart, cells: cellsOf(COLUMNS[name]) }));
    }
    this.#demand = this.#chartIn("demand", uPlot, demandOptions);
    for (const charts of document.querySelectorAll(".charts")) watchTabs(charts);
    document.addEventListener(BIDS_EVENT, () => this.#mark());
    addEventListener("beforeprint", () => this.#drawAnew(true));
    addEventListener("afterprint", () => this.#drawAnew(false));
    this.#watchSight();
  }

  /**
   * @param {string} name
   * @param {any} uPlot
   * @param {(chart: Chart, uPlot: any) => object} options
   */
  #chartIn(name, uPlot, options) {
    const figure = document.querySelector(`figure[data-chart="${name}"]`);
    if (!(figure instanceof HTMLElement)) return undefined;
    const chart = new Chart(figure, uPlot, options);
    this.#charts.push(chart);
    return chart;
  }

  #watchSight() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        this.#isSeen = true;
      },
      { rootMargin: MARGIN },
    );
    for (const { figure } of this.#charts) observer.observe(figure);
  }

  /** Draws all charts anew, on paper or not. @param {boolean} isPaper */
  #drawAnew(isPaper) {
    document.documentElement.toggleAttribute("data-paper", isPaper);
    for (const chart of this.#charts) chart.drawAnew(isPaper);
    for (const history of this.#histories) history.describe(isPaper);
  }

  /**
   * @param {Body} body
   * @param {import("./tiles.js").Terms} terms
   * @param {import("./freshness.js").ShownLiveness} liveness of its figures
   * @param {import("./source-text.js").Source} [source] what they are of
   */
  update(body, terms, liveness, source) {
    this.#units = shortUnits(unitsOf(body, this.#currency));
    const now = performance.now();
    const freshness = freshnessOf(liveness, source?.AsOf ?? null);
    // What came meanwhile is in the history only.
    if (this.#wasPast && freshness.name === "now") this.#historyLoads.hurry();
    this.#wasPast = freshness.name === "past";
    if (this.#historyLoads.isDue(now, HISTORY_INTERVAL_MS)) void this.#loadHistory(now);
    // What nobody has seen yet needs to be fresh enough for a printer only.
    const demandMs = this.#isSeen ? DEMAND_INTERVAL_MS : HISTORY_INTERVAL_MS;
    if (this.#demandLoads.isDue(now, demandMs)) void this.#loadDemand(now);
    const { price } = offerState(terms, body);
    if (this.#demand !== undefined) this.#demand.supply = offeredNumber(terms.OfferedToken.Amount, this.#units);
    for (const history of this.#histories) history.takePresent(body, price?.kind, freshness, this.#units);
    this.#drawHistories(this.#units);
    this.#clearing =
      price?.kind === "clearing" ? priceOf(body.ClearingPriceNumerator, body.ClearingPriceDenominator) : undefined;
    this.#mark();
  }

  /** @param {number} now */
  async #loadHistory(now) {
    this.#historyLoads.start(now);
    const answer = await readJson(`${this.#api}/history`);
    const units = this.#units;
    if (units === undefined) return;
    if (answer === undefined) {
      for (const history of this.#histories) history.showUnreadable(texts().chart.unreadable);
      this.#historyLoads.fail();
      return;
    }
    for (const history of this.#histories) history.takeHistory(answer.Points, units);
    this.#drawHistories(units);
  }

  /** Draws all figures over the same times. @param {Units} units */
  #drawHistories(units) {
    const ranges = this.#histories.flatMap(({ range }) => range ?? []);
    const range = ranges.length === 0 ? undefined : rangeOfAll(ranges);
    for (const history of this.#histories) history.draw(units, range);
  }

  /** @param {number} now */
  async #loadDemand(now) {
    if (this.#demand === undefined) return;
    this.#demandLoads.start(now);
    const answer = await readJson(`${this.#api}/demand`);
    const units = this.#units;
    if (units === undefined) return;
    if (answer === undefined) {
      if (!this.#demand.isDrawn) this.#demand.showNothing(texts().chart.unreadable);
      this.#demandLoads.fail();
      return;
    }
    /** @type {readonly Level[]} */
    const levels = answer.Levels;
    this.#levels = levels;
    if (levels.length === 0) this.#demand.showNothing(texts().chart.noBids);
    else this.#demand.show(demandSeries(levels, units), units);
    this.#mark();
    this.#demandTable.show(levels, (level) => demandCells(level, units), texts().chart.noBids);
  }

  /** Marks the clearing price, the floor and the bids of the wallet that is looked up. */
  #mark() {
    if (this.#demand === undefined || this.#units === undefined) return;
    const { floorNumerator, floorDenominator } = this.#demand.dataset;
    const floor = priceOf(floorNumerator, floorDenominator);
    const marks = marksOf({ clearing: this.#clearing, floor, bids: ownBids(), tried: triedPrice() }, this.#units);
    this.#demand.mark(marks);
    if (!this.#demand.isDrawn) return;
    const text = marks.map(({ label }) => label).join(" · ");
    this.#demand.describe(text, demandSentence(this.#levels, this.#units, marks));
  }
}

/** @param {readonly Range[]} ranges */
function rangeOfAll(ranges) {
  return { begin: Math.min(...ranges.map(({ begin }) => begin)), end: Math.max(...ranges.map(({ end }) => end)) };
}

/**
 * Returns what the demand shows, in a sentence.
 *
 * @param {readonly Level[]} levels by price descending
 * @param {Units} units
 * @param {readonly import("./marks.js").Mark[]} marks
 */
function demandSentence(levels, units, marks) {
  const [highest, lowest] = [levels[0], levels.at(-1)];
  if (highest === undefined || lowest === undefined) return "";
  const { chart } = texts();
  const prices = [
    priceFigure(lowest.LowestPriceNumerator, lowest.LowestPriceDenominator, units),
    priceFigure(highest.HighestPriceNumerator, highest.HighestPriceDenominator, units),
  ];
  const [low, high] = prices.map(({ text }) => text);
  const amount = amountFigure(BigInt(lowest.CumulativeAmount), units).text;
  const shown = fill(chart.demandShows, { amount, lowest: low ?? "", highest: high ?? "" });
  return [shown, ...marks.map(({ label }) => `${label}.`)].join(" ");
}

/**
 * Returns a function that makes the row of a period: its end, and figures.
 *
 * @param {readonly MeasureName[]} names
 * @returns {(point: HistoryPoint, units: Units) => Figure[]}
 */
function cellsOf(names) {
  return (point, units) => {
    const end = Math.min(Date.parse(point.From) + point.Seconds * 1000, Date.now());
    const figures = names.map((name) => MEASURES[name].figure(point, units) ?? { text: "—", exact: "" });
    return [{ text: timeText(end), exact: utcText(end) }, ...figures];
  };
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
