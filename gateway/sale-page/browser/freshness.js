// @ts-check
// Up to when the figures on a page are known to be right, and how the page says so. Runs in the browser and on the server.

import { fill } from "../../web/browser/message.js";
import { clockText } from "./liveness.js";
import { countText } from "./numbers.js";
import { language, texts } from "./words.js";

/**
 * @typedef {import("./liveness.js").Liveness} Liveness
 * @typedef {import("./source-text.js").Block} Block
 *
 * @typedef {object} Paused a page that its reader paused
 * @property {"paused"} name
 * @property {number} since in milliseconds
 * @property {Liveness} before how current its figures were then
 *
 * @typedef {Liveness | Paused} ShownLiveness
 *
 * @typedef {object} Freshness
 * @property {"now" | "past" | "over"} name whether figures are those of now, of a time that is past, or the last that a sale will have
 * @property {boolean} isStale whether nothing newer comes though it should
 * @property {number} until time up to which they are known to be right, in milliseconds; 0 where it isn't known, or is now
 * @property {Block | null} block the last one that they are of; null where there is none
 */

/**
 * Returns how fresh figures are.
 *
 * @param {Omit<Liveness, "fault"> | Paused} liveness
 * @param {Block | null} block the last one that the figures are of
 * @returns {Freshness}
 */
export function freshnessOf(liveness, block) {
  const { since } = liveness;
  switch (liveness.name) {
    case "paused":
      return fixedFreshness(freshnessOf(liveness.before, block), since);
    case "settled":
      return { name: "over", isStale: false, until: 0, block };
    case "live":
      return { name: "now", isStale: false, until: 0, block };
    case "connecting":
      // The page has been loaded just now, or it is shown again.
      return { name: since === 0 ? "now" : "past", isStale: since > 0, until: since, block };
    default:
      return { name: "past", isStale: true, until: since, block };
  }
}

/**
 * Returns how fresh figures are that stay as they are at a time: those that a reader holds, which a pause makes no newer, and those on paper.
 *
 * @param {Freshness} before
 * @param {number} at in milliseconds
 * @returns {Freshness}
 */
export function fixedFreshness(before, at) {
  return before.name === "now" ? { ...before, name: "past", until: at } : before;
}

/** The end of a curve in seconds. @param {Freshness} freshness @param {number} now in seconds */
export function endOf({ until }, now) {
  return until === 0 ? now : Math.min(now, until / 1000);
}

/**
 * Returns a figure with the time that it is of.
 *
 * @param {string} figure
 * @param {Freshness} freshness
 * @param {(at: number) => string} timeOf text of a time in milliseconds
 */
export function datedText(figure, { name, until, block }, timeOf = clockText) {
  const { chart } = texts();
  if (name === "over") return figure;
  if (name === "now") return fill(chart.now, { figure });
  if (until === 0) return figure;
  const time = timeOf(until);
  if (block === null) return fill(chart.asOf, { figure, time });
  const form = block.BlockHash === undefined ? chart.asOfSlot : chart.asOfBlock;
  return fill(form, { figure, time, block: countText(BigInt(block.Block), language()) });
}

/**
 * Returns a page's title, with a mark while its figures are stale.
 *
 * @param {string} title with or without the mark
 * @param {boolean} isStale
 */
export function markedTitle(title, isStale) {
  const mark = fill(texts().chart.notLive, { title: "" });
  const plain = title.startsWith(mark) ? title.slice(mark.length) : title;
  return isStale ? mark + plain : plain;
}
