// @ts-check

import { locale } from "./words.js";

/** Returns a time to the minute, in the reader's time zone. @param {string} time of ISO 8601, in UTC */
export function localTime(time) {
  return new Date(time).toLocaleString(locale(), {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** Shows the times of the founder, which the server writes in UTC, in the reader's time zone. */
export function showLocalTimes() {
  for (const element of document.querySelectorAll("time[data-local]")) {
    if (element instanceof HTMLTimeElement) element.textContent = localTime(element.dateTime);
  }
}
