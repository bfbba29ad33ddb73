import { eachLanguage, type Language } from "./language.ts";

const CLOCKS = eachLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "medium", timeZone: "UTC" }));
const OPTIONS = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
const FORMATS = eachLanguage((locale) => new Intl.DateTimeFormat(locale, OPTIONS));

/** Returns a time for readers of a page or a mail, in UTC: neither can know their time zone. */
export function utcText(time: Date, language: Language): string {
  return `${FORMATS[language].format(time)} UTC`;
}

/** Returns the time of day to the second, in UTC, such as `14:03:59 UTC`. */
export function utcClockText(time: Date, language: Language): string {
  return `${CLOCKS[language].format(time)} UTC`;
}
