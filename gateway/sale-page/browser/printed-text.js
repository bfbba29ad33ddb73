// @ts-check

import { datedText, fixedFreshness } from "./freshness.js";
import { timeText } from "./times.js";

/**
 * Returns a figure with the time that it is of, in words that are true on paper, too, which is read on another day.
 *
 * @param {string} figure
 * @param {import("./freshness.js").Freshness} freshness
 * @param {number} now in milliseconds
 */
export function printedText(figure, freshness, now) {
  return datedText(figure, fixedFreshness(freshness, now), (at) => timeText(at, "minute"));
}
