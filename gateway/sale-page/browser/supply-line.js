// @ts-check
// The line of what an auction's offer costs at each price. It clears where that meets the demand.

import { texts } from "./words.js";

const LINE_PX = 1.5;
const DASH_PX = [10, 4];
const GAP_PX = 6;

/**
 * Returns the number of whole tokens for sale, exact enough for a drawing; 0 where it isn't known.
 *
 * @param {string | undefined} amount in smallest units
 * @param {import("./figures.js").Units} units
 */
export function offeredNumber(amount, { offered = 0 }) {
  return amount === undefined ? 0 : Number(amount) / 10 ** offered;
}

/**
 * Returns the part of the line that a plot shows: from its first price to where the line leaves it.
 *
 * @param {number} supply whole tokens, more than 0
 * @param {{ readonly least: number, readonly most: number }} prices
 * @param {number} highest amount of the plot
 */
export function shownSupply(supply, { least, most }, highest) {
  const end = Math.min(most, highest / supply);
  return end <= least ? undefined : { from: [least, least * supply], to: [end, end * supply] };
}

/**
 * Returns where the line's label is: left of the line's end where there is room for it, else right of it.
 *
 * @param {number} end position of the line's end
 * @param {number} width of the label
 * @param {number} gap between line and label
 * @param {number} left edge of the plot
 * @returns {{ readonly x: number, readonly align: "left" | "right" }}
 */
export function supplyLabel(end, width, gap, left) {
  return end - gap - width < left ? { x: end + gap, align: "left" } : { x: end - gap, align: "right" };
}

/**
 * @param {any} plot
 * @param {import("./chart.js").Chart} chart
 * @param {number} ratio of canvas pixels to those of the page
 */
export function drawSupply(plot, chart, ratio) {
  const { ctx, scales, bbox } = plot;
  if (chart.supply === 0) return;
  const shown = shownSupply(chart.supply, { least: scales.x.min, most: scales.x.max }, scales.y.max);
  if (shown === undefined) return;
  /** @param {number[]} point */
  const pointOf = ([price, amount]) => [plot.valToPos(price, "x", true), plot.valToPos(amount, "y", true)];
  const [x, y] = pointOf(shown.from);
  const [endX, endY] = pointOf(shown.to);
  ctx.save();
  ctx.strokeStyle = chart.colour("--quiet");
  ctx.lineWidth = LINE_PX * ratio;
  ctx.setLineDash(DASH_PX.map((length) => length * ratio));
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(endX, endY);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.lineWidth = 4 * ratio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = chart.colour("--card");
  ctx.fillStyle = chart.colour("--quiet");
  const { supply: label } = texts().chart;
  const { x: labelX, align } = supplyLabel(endX, ctx.measureText(label).width, GAP_PX * ratio, bbox.left);
  ctx.textAlign = align;
  const labelY = endY + GAP_PX * ratio;
  ctx.strokeText(label, labelX, labelY);
  ctx.fillText(label, labelX, labelY);
  ctx.restore();
}
