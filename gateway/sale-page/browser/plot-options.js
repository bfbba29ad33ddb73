// @ts-check
// Options with which uPlot draws the charts of a sale's page.

import { fill } from "../../web/browser/message.js";
import { amountAtPrice, axisTexts, valueAtTime } from "./curves.js";
import { labelStarts } from "./marks.js";
import { PRICE_PLACES } from "./numbers.js";
import { drawSupply } from "./supply-line.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
/** Factor from the highest value to the top of the plot. */
const HEADROOM = 1.08;
const LEAST_SECONDS = 60;
const FONT = "12px system-ui, sans-serif";
const CHARACTER_PX = 7.5;
const LINE_PX = 18;
const MARK_LINE_PX = 15;
const LABEL_GAP_PX = 6;
const POINT_PX = 9;
/** Distances of the numbers of an axis of whole numbers. */
const WHOLE_STEPS = Array.from({ length: 19 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();

/** How the marked prices look: by colour and by their dashes. @type {Record<import("./marks.js").Mark["kind"], { colour: string, dash: readonly number[] }>} */
const MARK_STYLES = {
  clearing: { colour: "--mark", dash: [6, 4] },
  floor: { colour: "--quiet", dash: [2, 3] },
  bid: { colour: "--ink", dash: [] },
  tried: { colour: "--accent", dash: [8, 3] },
};

/** @typedef {import("./chart.js").Chart} Chart */
/** @typedef {import("./curves.js").Series} Series */

/**
 * @param {Chart} chart
 * @param {any} uPlot
 * @param {import("./measures.js").Measure} measure that it draws
 */
export function historyOptions(chart, uPlot, { grows, isPrice = false, isWhole = false }) {
  const valueAt = (/** @type {Series} */ series, /** @type {number} */ time) =>
    valueAtTime(series, time) ?? (grows ? 0 : undefined);
  const textAt = (/** @type {number} */ time, /** @type {number} */ value) =>
    fill(texts().chart.atTime, { time: timeText(1000 * time), figure: chart.number(value, chart.places) });
  return {
    ...sharedOptions(chart, { valueAt, textAt, sync: { key: "history" } }),
    padding: [12, 28, 0, 0],
    scales: { x: { time: true, range: timeRange(chart) }, y: { range: isPrice ? aroundValues : fromZero } },
    series: [{}, { ...lineOf(chart, uPlot.paths.linear()), fill: isPrice ? undefined : chart.colour("--area") }],
    axes: [
      { ...axisOf(chart), values: timeValues, space: 70, gap: 8, size: 2.5 * LINE_PX },
      { ...amountAxis(chart), ...(isWhole && { incrs: WHOLE_STEPS }) },
    ],
  };
}

/**
 * @param {Chart} chart
 * @param {any} uPlot
 */
export function demandOptions(chart, uPlot) {
  const textAt = (/** @type {number} */ price, /** @type {number} */ amount) =>
    fill(texts().chart.atOrMore, {
      amount: chart.number(amount, chart.places),
      price: chart.number(price, PRICE_PLACES),
    });
  const shared = sharedOptions(chart, { valueAt: amountAtPrice, textAt });
  return {
    ...shared,
    // The labels of marked prices have lines of their own above the curve.
    padding: [() => 12 + MARK_LINE_PX * chart.marks.length, 28, 0, 0],
    scales: { x: { time: false, range: priceRange(chart) }, y: { range: fromZero } },
    series: [
      {},
      { ...lineOf(chart, uPlot.paths.linear()), fill: (/** @type {any} */ plot) => clearedFill(plot, chart) },
    ],
    axes: [
      { ...axisOf(chart), values: compactValues(chart), space: 60, gap: 8, size: 1.5 * LINE_PX },
      amountAxis(chart),
    ],
    hooks: {
      ...shared.hooks,
      draw: [
        (/** @type {any} */ plot) => drawSupply(plot, chart, uPlot.pxRatio),
        (/** @type {any} */ plot) => drawMarks(plot, chart, uPlot.pxRatio),
      ],
    },
  };
}

/**
 * @typedef {object} Reading how the value at the pointer is read
 * @property {(series: Series, x: number) => number | undefined} valueAt
 * @property {(x: number, value: number) => string} textAt
 * @property {{ key: string }} [sync] name of the charts in which the same place is pointed at
 */

/**
 * Returns options with a cross-hair that lies on the curve, whose value is the chart's text.
 *
 * @param {Chart} chart
 * @param {Reading} reading
 */
function sharedOptions(chart, { valueAt, textAt, sync }) {
  const read = (/** @type {any} */ plot, /** @type {number} */ left) => {
    const x = plot.posToVal(left, "x");
    return { x, value: left < 0 ? undefined : valueAt(plot.data, x) };
  };
  const onCursor = (/** @type {any} */ plot) => {
    const { x, value } = read(plot, plot.cursor.left);
    chart.point(value === undefined ? undefined : textAt(x, value));
  };
  return {
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false },
      points: { fill: chart.colour("--accent"), bbox: pointBox },
      move: (/** @type {any} */ plot, /** @type {number} */ left, /** @type {number} */ top) => {
        const { value } = read(plot, left);
        return value === undefined ? [left, top] : [left, plot.valToPos(value, "y")];
      },
      ...(sync && { sync }),
    },
    hooks: { setCursor: [onCursor] },
  };
}

/** Returns the place of the point on the curve: where the lines of the cross-hair meet. @param {any} plot */
function pointBox({ cursor }) {
  return { left: cursor.left - POINT_PX / 2, top: cursor.top - POINT_PX / 2, width: POINT_PX, height: POINT_PX };
}

/**
 * @param {Chart} chart
 * @param {unknown} paths
 */
function lineOf(chart, paths) {
  return {
    stroke: chart.colour("--accent"),
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
 * Returns the colour below the curve, darker from the price on at which the sale sells now.
 *
 * @param {any} plot
 * @param {Chart} chart
 */
function clearedFill(plot, chart) {
  const { ctx, bbox } = plot;
  const rest = chart.colour("--area");
  const sold = chart.marks.find(({ sells }) => sells);
  if (sold === undefined || bbox.width === 0) return rest;
  const share = (plot.valToPos(sold.price, "x", true) - bbox.left) / bbox.width;
  const at = Math.min(1, Math.max(0, share));
  const gradient = ctx.createLinearGradient(bbox.left, 0, bbox.left + bbox.width, 0);
  for (const [offset, name] of /** @type {const} */ ([
    [0, "--area"],
    [at, "--area"],
    [at, "--cleared"],
    [1, "--cleared"],
  ])) {
    gradient.addColorStop(offset, chart.colour(name));
  }
  return gradient;
}

/**
 * Draws the marked prices as lines and, above all of them, a label for each: at a height of its own, on the side that has room.
 *
 * @param {any} plot
 * @param {Chart} chart
 * @param {number} ratio of canvas pixels to those of the page
 */
function drawMarks(plot, chart, ratio) {
  const { ctx, bbox } = plot;
  const shown = chart.marks
    .map((mark) => ({ ...mark, ...MARK_STYLES[mark.kind], x: Math.round(plot.valToPos(mark.price, "x", true)) }))
    .filter(({ x }) => x >= bbox.left && x <= bbox.left + bbox.width);
  ctx.save();
  for (const { x, colour, dash } of shown) {
    ctx.strokeStyle = chart.colour(colour);
    ctx.lineWidth = 2 * ratio;
    ctx.setLineDash(dash.map((length) => length * ratio));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - (MARK_LINE_PX * shown.length - 2) * ratio);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  setLabelStyle(ctx, chart, ratio);
  const labels = shown.map(({ x, short }) => ({ x, width: ctx.measureText(short).width }));
  const starts = labelStarts(labels, LABEL_GAP_PX * ratio, { left: bbox.left, right: ctx.canvas.width });
  for (const [index, { colour, short: label }] of shown.entries()) {
    const place = [starts[index], bbox.top - (shown.length - index) * MARK_LINE_PX * ratio];
    ctx.textAlign = "left";
    ctx.fillStyle = chart.colour(colour);
    // Where it crosses a line, the label stays legible.
    ctx.strokeText(label, ...place);
    ctx.fillText(label, ...place);
  }
  ctx.restore();
}

/**
 * @param {any} ctx
 * @param {Chart} chart
 * @param {number} ratio
 */
function setLabelStyle(ctx, chart, ratio) {
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.setLineDash([]);
  ctx.lineWidth = 4 * ratio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = chart.colour("--card");
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
 * Returns a range around values that are far from nothing, in which their changes can be seen.
 *
 * @param {any} _plot
 * @param {number} min
 * @param {number} max
 */
function aroundValues(_plot, min, max) {
  const margin = (max - min || max || 1) / 5;
  return [Math.max(0, min - margin), max + margin];
}

/** Range of the times: those that all charts of the sale have in common. @param {Chart} chart */
function timeRange(chart) {
  return (/** @type {any} */ _plot, /** @type {number} */ min, /** @type {number} */ max) => {
    const { begin, end } = chart.range ?? { begin: min, end: max };
    return [Math.min(begin, end - LEAST_SECONDS), end];
  };
}

/** Range of the prices; it includes the marked ones. @param {Chart} chart */
function priceRange(chart) {
  return (/** @type {any} */ _plot, /** @type {number} */ min, /** @type {number} */ max) => {
    const prices = chart.marks.map(({ price }) => price);
    const [low, high] = [Math.min(min, ...prices), Math.max(max, ...prices)];
    const margin = (high - low || high || 1) / 25;
    return [Math.max(0, low - margin), high + margin];
  };
}

/** @param {Chart} chart */
function compactValues(chart) {
  return (/** @type {any} */ _plot, /** @type {number[]} */ splits) => axisTexts(splits, chart.hasDollars);
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
    const day = timeText(1000 * split, "day");
    if (increment >= DAY_SECONDS) return day;
    const time = timeText(1000 * split, increment >= MINUTE_SECONDS ? "clock" : "clockSecond");
    const isOther = day !== before;
    before = day;
    return isOther ? `${time}\n${day}` : time;
  });
}
