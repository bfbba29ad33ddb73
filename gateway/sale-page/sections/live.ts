import { html } from "hono/html";
import type { Message } from "../../../common/platform/language/message.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { livenessText } from "../browser/liveness.js";
import { timeText } from "../browser/times.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Returns whether the figures are live, and what they are of. */
export function liveSection({ liveness, freshness, source }: SaleView): Html {
  const { live } = texts();
  const isSettled = liveness.name === "settled";
  // Whether live figures come is for the script to say.
  const state = liveness.name === "live" ? { ...liveness, name: "connecting" as const } : liveness;
  return html`<div class="live${isSettled ? " over" : ""}">
<p id="state" class="state${!freshness.isStale && " needs-script"}" data-state="${state.name}" role="status">${livenessText(state)}</p>
<noscript><p class="quiet">${live.reload}</p></noscript>
<p id="source" class="source quiet">${sourceHtml(source)}</p>
<button type="button" id="pause" class="secondary small needs-script"${isSettled ? html` hidden` : ""}>${live.pause}</button>
</div>`;
}

function sourceHtml({ sentence, time }: SaleView["source"]): Html | string {
  if (time === undefined) return sentence;
  return fillHtml(sentence as Message<"time">, { time: html`<time datetime="${time}">${timeText(time)}</time>` });
}
