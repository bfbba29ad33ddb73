import { html } from "hono/html";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { feedWords } from "./feed-words.ts";

/** Returns how current a sale's figures are; nothing for a sale that isn't public. */
export function feedLine(sale: Sale): Html {
  const words = feedWords(sale);
  if (words === undefined) return html``;
  const { state, text, since } = words;
  return html`<p class="feed" data-state="${state}">${text}${since !== undefined && html`, since ${utcTime(since)}`}</p>`;
}
