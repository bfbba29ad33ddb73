// @ts-check
// Options with which uPlot draws the charts of a sale's page.

import { fill } from "../../web/browser/message.js";
import { axisTexts } from "./curves.js";
import { labelStarts } from "./marks.js";
import { PRICE_PLACES } from "./numbers.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
/** Factor from the highest value to the top of the plot, which leaves room for the label of the clearing price. */
const HEADROOM = 1.15;
const LEAST_SECONDS = 60;
const FONT = "12px system-ui, sans-serif";
const CHARACTER_PX = 7.5;
const LINE_PX = 18;
const MARK_LINE_PX = 15;
const LABEL_GAP_PX = 6;

/** How the marked prices look: by colour and by their dashes. @type {Record<import("./marks.js").Mark["kind"], { colour: string, dash: readonly number[] }>} */
const MARK_STYLES = {
  clearing: { colour: "--mark", dash: [6, 4] },
  floor: { colour: "--quiet", dash: [2, 3] },
  bid: { colour: "--ink", dash: [] },
};

/** @typedef {import("./chart.js").Chart} Chart */

/**
 * @param {Chart} chart
 * @param {any} uPlot
 */
export function historyOptions(chart, uPlot) {
  const onCursor = (/** @type {any} */ plot) => {
    const { idx } = plot.cursor;
    const [x, y] = [plot.data[0][idx], plot.data[1][idx]];
    chart.point(
      idx === null || y === undefined
        ? undefined
        : fill(texts().chart.atTime, { time: timeText(1000 * x), figure: chart.number(y, chart.places) }),
    );
  };
  return {
    ...sharedOptions(chart),
    scales: { x: { time: true, range: timeRange }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.linear())],
    axes: [{ ...axisOf(chart), values: timeValues, space: 70, gap: 8, size: 2.5 * LINE_PX }, amountAxis(chart)],
    hooks: { setCursor: [onCursor] },
  };
}

/**
 * @param {Chart} chart
 * @param {any} uPlot
 */
export function demandOptions(chart, uPlot) {
  const onCursor = (/** @type {any} */ plot) => {
    const { idx } = plot.cursor;
    const [x, y] = [plot.data[0][idx], plot.data[1][idx]];
    chart.point(
      idx === null || y === undefined
        ? undefined
        : fill(texts().chart.atOrMore, { amount: chart.number(y, chart.places), price: chart.number(x, PRICE_PLACES) }),
    );
  };
  return {
    ...sharedOptions(chart),
    scales: { x: { time: false, range: priceRange(chart) }, y: { range: fromZero } },
    series: [{}, lineOf(chart, uPlot.paths.linear())],
    axes: [
      { ...axisOf(chart), values: compactValues(chart), space: 60, gap: 8, size: 1.5 * LINE_PX },
      amountAxis(chart),
    ],
    hooks: { setCursor: [onCursor], draw: [(/** @type {any} */ plot) => drawMarks(plot, chart, uPlot.pxRatio)] },
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
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  setLabelStyle(ctx, chart, ratio);
  const labels = shown.map(({ x, short }) => ({ x, width: ctx.measureText(short).width }));
  const starts = labelStarts(labels, LABEL_GAP_PX * ratio, { left: bbox.left, right: ctx.canvas.width });
  for (const [index, { colour, short: label }] of shown.entries()) {
    const place = [starts[index], bbox.top + (2 + index * MARK_LINE_PX) * ratio];
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
 * @param {any} _plot
 * @param {number} min
 * @param {number} max
 */
function timeRange(_plot, min, max) {
  return [Math.min(min, max - LEAST_SECONDS), max];
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
