// @ts-check
// Writes times into a page, in the reader's time zone. The server writes them in UTC, as it can't know that.

import { localeOf, timeText, UTC } from "./times.js";
import { language } from "./words.js";

/** Returns a time in UTC, which it says. @param {number | string} at milliseconds since 1970, or ISO 8601 */
export function utcText(at) {
  return `${timeText(at, "second", UTC)} ${UTC}`;
}

/** Returns the name of the page's time zone, without an offset, as that changes with the time of the year. */
export function zoneName() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === UTC ? UTC : (namePart() ?? timeZone);
}

function namePart() {
  const format = new Intl.DateTimeFormat(localeOf(language()), { timeZoneName: "longGeneric" });
  return format.formatToParts().find(({ type }) => type === "timeZoneName")?.value;
}

/** Returns the shape in which an element's time is written. @param {HTMLTimeElement} element */
const shapeOf = ({ dataset }) => (dataset["shape"] === "minute" ? "minute" : "second");

/**
 * Writes a time, with UTC at the pointer.
 *
 * @param {HTMLTimeElement} element
 * @param {string} time of ISO 8601
 */
export function showTime(element, time) {
  element.dateTime = time;
  const text = timeText(time, shapeOf(element));
  if (element.textContent === text && element.title !== "") return;
  element.textContent = text;
  element.title = utcText(time);
}

/** Writes the times of a page as the server has made it in the reader's time zone, and names that. */
export function showTimes() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    if (element instanceof HTMLTimeElement && element.dateTime !== "") showTime(element, element.dateTime);
  }
  const zone = document.getElementById("zone");
  if (zone !== null) zone.textContent = zoneName();
}

/**
 * Writes a sentence that has a time at `{time}`.
 *
 * @param {HTMLElement} element
 * @param {string} sentence
 * @param {string | undefined} time of ISO 8601
 */
export function showTimedSentence(element, sentence, time) {
  const moment = time === undefined ? "" : timeText(time);
  const text = sentence.replace("{time}", moment);
  if (element.textContent === text) return;
  const [before = "", after] = sentence.split("{time}");
  if (time === undefined || after === undefined) {
    element.textContent = text;
    return;
  }
  const shownTime = document.createElement("time");
  showTime(shownTime, time);
  element.replaceChildren(before, shownTime, after);
}
