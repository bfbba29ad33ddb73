import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import { DEFAULT_LANGUAGE, eachLanguage, type Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { TEXTS } from "../texts/texts.ts";
import type { Html } from "./layout.ts";

const OPTIONS = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
const FORMATS = eachLanguage((locale) => new Intl.DateTimeFormat(locale, OPTIONS));

/** Returns a time for readers, in UTC: a page without script can't know their time zone. */
export function utcTime(timestamp: Timestamp | undefined, language: Language = DEFAULT_LANGUAGE): Html {
  if (timestamp === undefined) return html`${TEXTS[language].time.unknown}`;
  return html`<time datetime="${timestampDate(timestamp).toISOString()}">${utcText(timestamp, language)}</time>`;
}

/** Returns a time for readers as text. */
export function utcText(timestamp: Timestamp, language: Language = DEFAULT_LANGUAGE): string {
  return fill(TEXTS[language].time.utc, { time: FORMATS[language].format(timestampDate(timestamp)) });
}
