import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Returns whether the figures are live, and what they are of. */
export function liveSection({ stage, source }: SaleView): Html {
  const { live, liveness } = texts();
  const isSettled = stage.phase === "settled";
  return html`<div class="live${isSettled ? " over" : ""}">
<p id="state" class="state needs-script" data-state="${isSettled ? "settled" : "connecting"}" role="status">${isSettled ? liveness.over : liveness.connecting}</p>
<noscript><p class="quiet">${live.reload}</p></noscript>
<p id="source" class="source quiet">${source}</p>
<button type="button" id="pause" class="secondary small needs-script"${isSettled ? html` hidden` : ""}>${live.pause}</button>
</div>`;
}
