// @ts-check
// The charts of a sale's page: its total over time and, of an auction, its demand by price.

import { amountFigure, priceFigure, unitsOf } from "./figures.js";
import { decimalText } from "./numbers.js";

/** Points that came by the stream give way to those of the service's history this often. */
const HISTORY_INTERVAL_MS = 60_000;
/** The demand is asked for again this often while figures change. */
const DEMAND_INTERVAL_MS = 5_000;
const RETRY_MS = 5_000;
const MAX_LIVE_POINTS = 1_000;
const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
const HEADROOM = 1.08;
const LARGEST_COMPACT = 1e15;
const FONT = "12px system-ui, sans-serif";

/**
 * @typedef {import("./feed.js").Body} Body
 * @typedef {import("./figures.js").Units} Units
 * @typedef {{ text: string, exact: string }} Figure
 * @typedef {[xs: number[], ys: number[]]} Series
 * @typedef {{ From: string, Seconds: number, TotalCommitmentAmount: string }} HistoryPoint
 * @typedef {{ HighestPriceNumerator: string, HighestPriceDenominator: string, LowestPriceNumerator: string,
 *   LowestPriceDenominator: string, CumulativeAmount: string }} Level
 */

/** Draws what is in the page's `figure[data-chart]`. */
export class Charts {
  #api;
  #dollars;
  /** @type {Units | undefined} */
  #units;
  /** @type {Chart | undefined} */
  #history;
  /** @type {Chart | undefined} */
  #demand;
  /** @type {Series} */
  #past = [[], []];
  /** @type {Series} */
  #live = [[], []];
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
    this.#addLive(body, this.#units);
    this.#drawHistory(body, this.#units);
    this.#markClearing(body, this.#units);
  }

  /** @param {number} now */
  async #loadHistory(now) {
    this.#historyAt = now;
    const units = this.#units;
    const answer = await readJson(`${this.#api}/history`);
    if (units === undefined || this.#history === undefined) return;
    if (answer === undefined) {
      if (this.#past[0].length === 0) this.#history.describe("The chart can’t be drawn at the moment.");
      this.#historyAt = now - HISTORY_INTERVAL_MS + RETRY_MS;
      return;
    }
    this.#past = historySeries(answer.Points, units);
    this.#live = [[], []];
    this.#history.show(this.#past, units);
  }

  /** @param {number} now */
  async #loadDemand(now) {
    if (this.#demand === undefined || this.#units === undefined) return;
    this.#demandAt = now;
    const answer = await readJson(`${this.#api}/demand`);
    if (answer === undefined) return;
    if (answer.Levels.length === 0) this.#demand.describe("There are no bids yet.");
    else this.#demand.show(demandSeries(answer.Levels, this.#units), this.#units);
  }

  /**
   * @param {Body} body
   * @param {Units} units
   */
  #addLive({ TotalCommitmentAmount }, units) {
    const [xs, ys] = this.#live;
    const last = xs.at(-1) ?? this.#past[0].at(-1) ?? 0;
    xs.push(Math.max(Date.now() / 1000, last));
    ys.push(numberOf(TotalCommitmentAmount, units));
    if (xs.length > MAX_LIVE_POINTS) for (const list of this.#live) list.shift();
  }

  /**
   * @param {Body} body
   * @param {Units} units
   */
  #drawHistory({ TotalCommitmentAmount }, units) {
    const [past, live] = [this.#past, this.#live];
    if (past[0].length === 0) return;
    this.#history?.show(
      [
        [...past[0], ...live[0]],
        [...past[1], ...live[1]],
      ],
      units,
    );
    const { text } = amountFigure(BigInt(TotalCommitmentAmount), units);
    this.#history?.describe(`${text} now`);
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
    this.#demand?.describe(`Clears at ${text}`);
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
  #words = "";

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
    else this.#drawn.setData(series);
  }

  /** @param {{ price: number, text: string }} marked */
  mark(marked) {
    if (this.marked?.price === marked.price) return;
    this.marked = marked;
    this.#drawn?.setData(this.#series);
  }

  /** Says in words what is there to see. @param {string} words */
  describe(words) {
    this.#words = words;
    this.say(undefined);
  }

  /** Says where the pointer is, or else what is there to see. @param {string | undefined} words */
  say(words) {
    const readout = this.#figure.querySelector(".readout");
    if (readout !== null) readout.textContent = words ?? this.#words;
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
    this.#drawn = new this.#uPlot(options, this.#series, this.#plot);
    this.#figure.dataset["drawn"] = "";
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
    chart.say(idx === null || y === undefined ? undefined : `${momentText(x)} UTC: ${compactText(y, chart)}`);
  };
  return {
    ...sharedOptions(chart),
    tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { time: true }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.stepped({ align: 1 }))],
    axes: [{ ...axisOf(chart), values: timeValues, space: 70, gap: 8 }, amountAxis(chart)],
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
    chart.say(
      idx === null || y === undefined ? undefined : `${compactText(y, chart)} at ${compactText(x, chart)} or more`,
    );
  };
  return {
    ...sharedOptions(chart),
    scales: { x: { time: false, range: priceRange(chart) }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.linear())],
    axes: [{ ...axisOf(chart), values: compactValues(chart), space: 60, gap: 8 }, amountAxis(chart)],
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
  return { ...axisOf(chart), size: 64, values: compactValues(chart) };
}

/**
 * The clearing price: a line, and its words on the side where there is room.
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

/** The clearing price is always to be seen. @param {Chart} chart */
function priceRange(chart) {
  return (/** @type {any} */ _plot, /** @type {number} */ min, /** @type {number} */ max) => {
    const price = chart.marked?.price ?? min;
    const [low, high] = [Math.min(min, price), Math.max(max, price)];
    const margin = (high - low || high || 1) / 25;
    return [Math.max(0, low - margin), high + margin];
  };
}

/**
 * Each point is the total at the end of its time. @param {readonly HistoryPoint[]} points
 * @param {Units} units
 * @returns {Series}
 */
function historySeries(points, units) {
  /** @type {Series} */
  const series = [[], []];
  const now = Date.now() / 1000;
  for (const { From, Seconds, TotalCommitmentAmount } of points) {
    const end = Math.min(Date.parse(From) / 1000 + Seconds, Math.max(now, Date.parse(From) / 1000));
    series[0].push(Math.max(end, series[0].at(-1) ?? 0));
    series[1].push(numberOf(TotalCommitmentAmount, units));
  }
  return series;
}

/**
 * By price ascending: how much is bid at a price or more. It falls at each price that is bid, and within a level of
 * several prices, of which no more is known, evenly.
 *
 * @param {readonly Level[]} levels by price descending
 * @param {Units} units
 * @returns {Series}
 */
function demandSeries(levels, units) {
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
 * Near enough for a drawing.
 *
 * @param {string} amount
 * @param {Units} units
 */
function numberOf(amount, { payment }) {
  return Number(decimalText(BigInt(amount), payment));
}

/**
 * @param {string} numerator
 * @param {string} denominator
 * @param {Units} units
 */
function priceNumber(numerator, denominator, { payment, offered = 0 }) {
  return (Number(numerator) / Number(denominator)) * 10 ** (offered - payment);
}

/** @param {Chart} chart */
function compactValues(chart) {
  return (/** @type {any} */ _plot, /** @type {number[]} */ splits) => splits.map((split) => compactText(split, chart));
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/**
 * @param {number} value
 * @param {Chart} chart
 */
function compactText(value, { units }) {
  const isFar = value >= LARGEST_COMPACT || (value > 0 && value < 1e-6);
  const text = isFar ? value.toExponential(1) : (value >= 1000 ? COMPACT : SMALL).format(value);
  return units?.dollars === true ? `$${text}` : text;
}

/** @param {Intl.DateTimeFormatOptions} options */
const timeFormat = (options) => new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const DAY = timeFormat({ day: "numeric", month: "short" });
const MINUTE = timeFormat({ hour: "2-digit", minute: "2-digit" });
const SECOND = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** @param {number} seconds */
function momentText(seconds) {
  return `${DAY.format(seconds * 1000)}, ${SECOND.format(seconds * 1000)}`;
}

/**
 * Times of an axis; the day stands below where it is another one than before.
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
    const day = DAY.format(split * 1000);
    if (increment >= DAY_SECONDS) return day;
    const time = (increment >= MINUTE_SECONDS ? MINUTE : SECOND).format(split * 1000);
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

/** @returns {Promise<any>} the library, once its styles are there too, or the chart would move under them */
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
