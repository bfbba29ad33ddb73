import { perLanguage } from "../../../common/platform/language/per-language.ts";
import { language, localeOf } from "../browser/words.js";

/** Returns a time of ISO 8601 for people, in UTC and to the minute, such as `31 Jan 2026, 12:00 UTC`. */
export function minuteText(time: string): string {
  return minuteFormat(language()).format(new Date(time));
}

const minuteFormat = perLanguage(
  (tag) =>
    new Intl.DateTimeFormat(localeOf(tag), {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone: "UTC",
    }),
);
