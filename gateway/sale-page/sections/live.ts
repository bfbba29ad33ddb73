import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import type { SaleView } from "../sale-view.ts";

/** Returns whether the figures are live, and what they are of. */
export function liveSection({ status, source }: SaleView): Html {
  const isSettled = status.name === "settled";
  return html`<div class="live">
<p id="state" class="state needs-script" data-state="${isSettled ? "settled" : "connecting"}" role="status">${isSettled ? "The sale is over" : "Connecting…"}</p>
<noscript><p class="quiet">Reload this page for newer figures.</p></noscript>
<p id="source" class="source quiet">${source}</p>
<button type="button" id="pause" class="secondary small needs-script"${isSettled ? html` hidden` : ""}>Pause</button>
</div>`;
}
