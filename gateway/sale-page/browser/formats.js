// @ts-check
// Short numbers and times of charts. Runs in the browser and on the server.

import { perLanguage } from "./message.js";
import { language, localeOf } from "./words.js";

/** Returns the formats of the language that is written. */
export function chartFormats() {
  return formats(language());
}

const formats = perLanguage((tag) => {
  const time = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    new Intl.DateTimeFormat(localeOf(tag), { ...options, timeZone: "UTC" });
  return {
    compact: new Intl.NumberFormat(tag, { notation: "compact", maximumSignificantDigits: 4 }),
    small: new Intl.NumberFormat(tag, { maximumSignificantDigits: 4 }),
    day: time({ day: "numeric", month: "short" }),
    minute: time({ hour: "2-digit", minute: "2-digit" }),
    second: time({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  };
});
