// @ts-check
// The times on a page: all in one time zone, the reader's in a browser, and UTC on the server, which can't know it.

import { perLanguage } from "../../web/browser/message.js";
import { language } from "./words.js";

/** Name of the time zone of the server's pages, and of what stands at the pointer. */
export const UTC = "UTC";

/** How a time is written: for a chart's axis without what its other numbers say. */
const SHAPES = /** @type {const} */ ({
  second: { dateStyle: "medium", timeStyle: "medium" },
  minute: { dateStyle: "medium", timeStyle: "short" },
  day: { day: "numeric", month: "short" },
  clock: { timeStyle: "short" },
  clockSecond: { timeStyle: "medium" },
});

/** @typedef {keyof typeof SHAPES} Shape */

/** Returns the locale of a language's times: British for English. @param {string} tag */
export const localeOf = (tag) => (tag === "en" ? "en-GB" : tag);

/** By language, shape and time zone, which is empty for the reader's. */
const timeFormat = perLanguage((key) => {
  const [tag = "", shape, timeZone] = key.split(" ");
  const options = SHAPES[/** @type {Shape} */ (shape)];
  return new Intl.DateTimeFormat(localeOf(tag), timeZone ? { ...options, timeZone } : options);
});

/**
 * Returns a time in the page's time zone, or in another one.
 *
 * @param {number | string} at milliseconds since 1970, or ISO 8601
 * @param {Shape} [shape]
 */
export function timeText(at, shape = "second", zone = globalThis.document ? "" : UTC) {
  return timeFormat(`${language()} ${shape} ${zone}`).format(new Date(at));
}
