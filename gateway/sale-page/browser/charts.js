// @ts-check
// The charts of a sale's page: its total over time and, of an auction, its demand by price.

import {
  axisTexts,
  compactText,
  dayText,
  demandSeries,
  fromPrice,
  historySeries,
  minuteText,
  numberOf,
  priceNumber,
  secondText,
} from "./curves.js";
import { amountFigure, priceFigure, unitsOf } from "./figures.js";

/** Interval at which the service's history replaces the points that came by the stream. */
const HISTORY_INTERVAL_MS = 60_000;
/** Interval at which the demand is loaded again while figures change. */
const DEMAND_INTERVAL_MS = 5_000;
const RETRY_MS = 5_000;
const MAX_LIVE_POINTS = 1_000;
const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
/** Factor from the highest value to the top of the plot, which leaves room for the label of the clearing price. */
const HEADROOM = 1.15;
const LEAST_SECONDS = 60;
const FONT = "12px system-ui, sans-serif";
const CHARACTER_PX = 7.5;
const LINE_PX = 18;

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

/** One chart in its figure. */
class Chart {
  /** @type {{ price: number, text: string } | undefined} */
  marked;
  /** @type {Units | undefined} */
  units;
  #figure;
  #plot;
  #uPlot;
  #options;
  /** @type {any} */
  #drawn;
  /** @type {Series} */
  #series = [[], []];
  #description = "";

  /**
   * @param {HTMLElement} figure
   * @param {any} uPlot
   * @param {(chart: Chart, uPlot: any) => object} options
   */
  constructor(figure, uPlot, options) {
    this.#figure = figure;
    this.#plot = /** @type {HTMLElement} */ (figure.querySelector(".plot"));
    this.#uPlot = uPlot;
    this.#options = options;
    new ResizeObserver(() => this.#drawn?.setSize(this.#size())).observe(this.#plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw());
  }

  /**
   * @param {Series} series
   * @param {Units} units
   */
  show(series, units) {
    this.#series = series;
    this.units = units;
    if (this.#drawn === undefined) this.#redraw();
    else this.#drawn.setData(this.#shown());
  }

  get isDrawn() {
    return this.#drawn !== undefined;
  }

  /** Shows why there is no curve. @param {string} message */
  showNothing(message) {
    this.#series = [[], []];
    this.#drawn?.destroy();
    this.#drawn = undefined;
    this.describe("");
    const line = document.createElement("p");
    line.className = "nothing quiet";
    line.textContent = message;
    this.#plot.replaceChildren(line);
  }

  /** @param {{ price: number, text: string }} marked */
  mark(marked) {
    if (this.marked?.price === marked.price) return;
    this.marked = marked;
    this.#drawn?.setData(this.#shown());
  }

  /** Describes the curve as text. @param {string} text */
  describe(text) {
    this.#description = text;
    this.say(undefined);
  }

  /** Shows the value at the pointer, or else the description. @param {string | undefined} text */
  say(text) {
    const readout = this.#figure.querySelector(".readout");
    if (readout !== null) readout.textContent = text ?? this.#description;
  }

  /** @param {number} value */
  number(value) {
    return compactText(value, this.units?.dollars === true);
  }

  /** @param {string} name of a custom property */
  colour(name) {
    return getComputedStyle(this.#figure).getPropertyValue(name).trim();
  }

  #redraw() {
    if (this.#series[0].length === 0) return;
    this.#drawn?.destroy();
    this.#plot.replaceChildren();
    const options = { ...this.#size(), ...this.#options(this, this.#uPlot) };
    this.#drawn = new this.#uPlot(options, this.#shown(), this.#plot);
    this.#figure.dataset["drawn"] = "";
  }

  /** The curve reaches the marked price. */
  #shown() {
    return fromPrice(this.#series, this.marked?.price);
  }

  #size() {
    return { width: this.#plot.clientWidth, height: this.#plot.clientHeight };
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

/**
 * @param {Chart} chart
 * @param {any} uPlot
 */
function historyOptions(chart, uPlot) {
  const onCursor = (/** @type {any} */ plot) => {
    const { idx } = plot.cursor;
    const [x, y] = [plot.data[0][idx], plot.data[1][idx]];
    chart.say(idx === null || y === undefined ? undefined : `${dayText(x)}, ${secondText(x)} UTC: ${chart.number(y)}`);
  };
  return {
    ...sharedOptions(chart),
    tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { time: true, range: timeRange }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.stepped({ align: 1 }))],
    axes: [{ ...axisOf(chart), values: timeValues, space: 70, gap: 8, size: 2.5 * LINE_PX }, amountAxis(chart)],
    hooks: { setCursor: [onCursor] },
  };
}

/**
 * @param {Chart} chart
 * @param {any} uPlot
 */
function demandOptions(chart, uPlot) {
  const onCursor = (/** @type {any} */ plot) => {
    const { idx } = plot.cursor;
    const [x, y] = [plot.data[0][idx], plot.data[1][idx]];
    chart.say(idx === null || y === undefined ? undefined : `${chart.number(y)} at ${chart.number(x)} or more`);
  };
  return {
    ...sharedOptions(chart),
    scales: { x: { time: false, range: priceRange(chart) }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.linear())],
    axes: [
      { ...axisOf(chart), values: compactValues(chart), space: 60, gap: 8, size: 1.5 * LINE_PX },
      amountAxis(chart),
    ],
    hooks: { setCursor: [onCursor], draw: [(/** @type {any} */ plot) => drawMark(plot, chart, uPlot.pxRatio)] },
  };
}

/** @param {Chart} chart */
function sharedOptions(chart) {
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { fill: chart.colour("--accent") } },
    padding: [12, 28, 0, 0],
  };
}

/**
 * @param {Chart} chart
 * @param {unknown} paths
 */
function lineOf(chart, paths) {
  return {
    stroke: chart.colour("--accent"),
    fill: chart.colour("--area"),
    width: 2,
    paths,
    points: { show: false },
  };
}

/** @param {Chart} chart */
function axisOf(chart) {
  return {
    stroke: chart.colour("--quiet"),
    font: FONT,
    grid: { stroke: chart.colour("--line"), width: 1 },
    ticks: { show: false },
  };
}

/** @param {Chart} chart */
function amountAxis(chart) {
  return { ...axisOf(chart), size: widthOf, values: compactValues(chart) };
}

/**
 * @param {any} _plot
 * @param {readonly string[] | null} texts
 */
function widthOf(_plot, texts) {
  return CHARACTER_PX * Math.max(2, ...(texts ?? []).map((text) => text.length)) + 8;
}

/**
 * Draws the clearing price: a line, with its label on the side that has room.
 *
 * @param {any} plot
 * @param {Chart} chart
 * @param {number} ratio of canvas pixels to those of the page
 */
function drawMark(plot, chart, ratio) {
  if (chart.marked === undefined) return;
  const { ctx, bbox } = plot;
  const { price, text } = chart.marked;
  const x = Math.round(plot.valToPos(price, "x", true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const isRight = x > bbox.left + bbox.width / 2;
  const gap = 6 * ratio;
  ctx.save();
  ctx.strokeStyle = chart.colour("--mark");
  ctx.fillStyle = chart.colour("--mark");
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = isRight ? "right" : "left";
  ctx.textBaseline = "top";
  ctx.fillText(`Clears at ${text}`, isRight ? x - gap : x + gap, bbox.top + 2 * ratio);
  ctx.restore();
}

/**
 * @param {any} _plot
 * @param {number} _min
 * @param {number} max
 */
function fromZero(_plot, _min, max) {
  return [0, max > 0 ? max * HEADROOM : 1];
}

/**
 * @param {any} _plot
 * @param {number} min
 * @param {number} max
 */
function timeRange(_plot, min, max) {
  return [Math.min(min, max - LEAST_SECONDS), max];
}

/** Range of the prices; it includes the clearing price. @param {Chart} chart */
function priceRange(chart) {
  return (/** @type {any} */ _plot, /** @type {number} */ min, /** @type {number} */ max) => {
    const price = chart.marked?.price ?? min;
    const [low, high] = [Math.min(min, price), Math.max(max, price)];
    const margin = (high - low || high || 1) / 25;
    return [Math.max(0, low - margin), high + margin];
  };
}

/** @param {Chart} chart */
function compactValues(chart) {
  return (/** @type {any} */ _plot, /** @type {number[]} */ splits) => axisTexts(splits, chart.units?.dollars === true);
}

/**
 * Times of an axis, with the day below where it changes.
 *
 * @param {any} _plot
 * @param {number[]} splits in seconds
 * @param {number} _axis
 * @param {number} _space
 * @param {number} increment in seconds
 */
function timeValues(_plot, splits, _axis, _space, increment) {
  let before = "";
  return splits.map((split) => {
    const day = dayText(split);
    if (increment >= DAY_SECONDS) return day;
    const time = (increment >= MINUTE_SECONDS ? minuteText : secondText)(split);
    const isOther = day !== before;
    before = day;
    return isOther ? `${time}\n${day}` : time;
  });
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

/** @returns {Promise<any>} the library, once its styles are loaded too: without them the chart would move later */
async function loadUPlot() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("./uPlot.min.css", import.meta.url).href;
  const script = document.createElement("script");
  script.src = new URL("./uPlot.iife.min.js", import.meta.url).href;
  await Promise.all([inHead(sheet), inHead(script)]);
  return Reflect.get(globalThis, "uPlot");
}

/** @param {HTMLElement} element that loads something */
function inHead(element) {
  const loaded = new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", () => reject(new Error("what draws charts can't be loaded")));
  });
  document.head.append(element);
  return loaded;
}
