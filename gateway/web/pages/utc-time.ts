import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** Returns a time for readers, in UTC: a page without script can't know their time zone. */
export function utcTime(timestamp: Timestamp | undefined): Html {
  if (timestamp === undefined) return html`at an unknown time`;
  return html`<time datetime="${timestampDate(timestamp).toISOString()}">${utcText(timestamp)}</time>`;
}

/** Returns a time for readers as text. */
export function utcText(timestamp: Timestamp): string {
  return `${FORMAT.format(timestampDate(timestamp))} UTC`;
}
