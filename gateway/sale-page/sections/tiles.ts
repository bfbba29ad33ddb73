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
<dl class="tiles" data-count="${tiles.filter(({ isHidden }) => !isHidden).length}">
${tiles.map(tileHtml)}
</dl>
<p class="rounding quiet">${tilesNote(tiles)} <span class="needs-script">${texts().tile.exactly}</span>
<span class="zone">${fillHtml(texts().time.zone, { zone: html`<span id="zone">${UTC}</span>` })}</span></p>
</div>`;
}

function tileHtml({ id, label, figure: { text, exact }, note = "", bar, mark, isHidden }: Tile): Html {
  return html`<div class="tile"${isHidden ? html` hidden` : ""}><dt id="${id}-label">${label}</dt><dd><data id="${id}" value="${exact}" data-width="${widthOf(text)}">${text}</data></dd>
<dd class="copy-cell needs-script"><button type="button" class="link copy" data-copies="${id}">${texts().tile.copy}<span class="hidden">: ${label}</span></button></dd>
<dd class="note quiet">${bar !== undefined && barHtml(id, bar, mark)}<span id="${id}-note">${note}</span></dd></div>`;
}

/** Returns the drawing of a share, which the note beside it says in words. @param mark where the whole is, beyond which the share goes */
function barHtml(id: string, bar: number, mark: number | undefined): Html {
  const { length, height } = BAR;
  return html`<svg class="bar" viewBox="0 0 ${length} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="${length}" height="${height}"/><rect id="${id}-bar" width="${bar}" height="${height}"/>${mark !== undefined && html`<rect id="${id}-mark" class="mark" x="${mark}" width="1" height="${height}"/>`}</svg>`;
}
