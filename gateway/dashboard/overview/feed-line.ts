import { html } from "hono/html";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { texts } from "../base/texts.ts";
import { feedWords } from "./feed-words.ts";

/** Returns how current a sale's figures are; nothing for a sale that isn't public. */
export function feedLine(sale: Sale): Html {
  const words = feedWords(sale);
  if (words === undefined) return html``;
  const { state, text, since } = words;
  const shown = since === undefined ? text : fillHtml(texts().feed.since, { text, time: utcTime(since) });
  return html`<p class="feed" data-state="${state}">${shown}</p>`;
}
