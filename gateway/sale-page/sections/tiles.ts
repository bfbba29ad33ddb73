import { html } from "hono/html";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { type Tile, tilesNote, widthOf } from "../browser/tiles.js";
import { UTC } from "../browser/times.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Length of the bar's drawing: one for each hundredth. */
const BAR = { length: 100, height: 2 };

/** Returns a sale's figures as tiles. */
export function tilesSection({ tiles }: SaleView): Html {
  return html`<div class="figures" data-part="tiles" data-key="${tiles.map(({ id }) => id).join(" ")}">
<dl class="tiles" data-count="${tiles.length}">
${tiles.map(tileHtml)}
</dl>
<p class="rounding quiet">${tilesNote(tiles)} <span class="needs-script">${texts().tile.exactly}</span>
<span class="zone">${fillHtml(texts().time.zone, { zone: html`<span id="zone">${UTC}</span>` })}</span></p>
</div>`;
}

function tileHtml({ id, label, figure: { text, exact }, note = "", bar }: Tile): Html {
  return html`<div class="tile"><dt id="${id}-label">${label}</dt><dd><data id="${id}" value="${exact}" data-width="${widthOf(text)}">${text}</data></dd>
<dd class="copy-cell needs-script"><button type="button" class="link copy" data-copies="${id}">${texts().tile.copy}<span class="hidden">: ${label}</span></button></dd>
<dd class="note quiet">${bar !== undefined && barHtml(id, bar)}<span id="${id}-note">${note}</span></dd></div>`;
}

/** Returns the drawing of a share, which the note beside it says in words. */
function barHtml(id: string, bar: number): Html {
  const { length, height } = BAR;
  return html`<svg class="bar" viewBox="0 0 ${length} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="${length}" height="${height}"/><rect id="${id}-bar" width="${bar}" height="${height}"/></svg>`;
}
