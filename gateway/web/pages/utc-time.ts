import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { utcClockText, utcText as utcDateText } from "../../../common/platform/language/utc-text.ts";
import { pageLanguage } from "../texts/page-language.ts";
import { TEXTS } from "../texts/texts.ts";
import type { Html } from "./layout.ts";

/** Returns a time for readers, in UTC: a page without script can't know their time zone. */
export function utcTime(timestamp: Timestamp | undefined, language: Language = pageLanguage()): Html {
  if (timestamp === undefined) return html`${TEXTS[language].time.unknown}`;
  return html`<time datetime="${timestampDate(timestamp).toISOString()}">${utcText(timestamp, language)}</time>`;
}

/** Returns a time for readers as text. */
export function utcText(timestamp: Timestamp, language: Language = pageLanguage()): string {
  return utcDateText(timestampDate(timestamp), language);
}

/** Returns a time of today for readers, to the second: one that is still to come is rounded up. */
export function utcClock(milliseconds: number, language: Language): Html {
  const time = new Date(Math.ceil(milliseconds / 1_000) * 1_000);
  return html`<time datetime="${time.toISOString()}">${utcClockText(time, language)}</time>`;
}
