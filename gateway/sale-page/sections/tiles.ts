import { html } from "hono/html";
import type { Figure } from "../../../common/sale/words/figure.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { titleOf } from "../browser/row-texts.js";
import { exactlyText, type Tile, tilesNote, tileText } from "../browser/tiles.js";
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

function tileHtml({ id, label, figure, note = "", bar, mark, isHidden }: Tile): Html {
  return html`<div class="tile"${isHidden ? html` hidden` : ""}><dt id="${id}-label">${label}</dt><dd>${figureHtml(id, figure)}<span id="${id}-exact" class="hidden">${exactlyText(figure)}</span></dd>
<dd class="copy-cell needs-script"><button type="button" class="link copy" data-copies="${id}">${texts().tile.copy}<span class="hidden">: ${label}</span></button></dd>
<dd class="note quiet">${bar !== undefined && barHtml(id, bar, mark)}<span id="${id}-note">${note}</span></dd></div>`;
}

/** Returns a figure, the same as `showFigure` of the page's script. */
function figureHtml(id: string, figure: Figure): Html {
  const { number, unit, length, isLong } = tileText(figure.text);
  const small = unit !== "" && html` <small${isLong && html` data-long`}>${unit}</small>`;
  return html`<data id="${id}" value="${figure.exact}" title="${titleOf(figure)}" data-length="${length}">${number}${small}</data>`;
}

/** Returns the drawing of a share, which the note beside it says in words. @param mark where the whole is, beyond which the share goes */
function barHtml(id: string, bar: number, mark: number | undefined): Html {
  const { length, height } = BAR;
  return html`<svg class="bar" viewBox="0 0 ${length} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="${length}" height="${height}"/><rect id="${id}-bar" width="${bar}" height="${height}"/>${mark !== undefined && html`<rect id="${id}-mark" class="mark" x="${mark}" width="1" height="${height}"/>`}</svg>`;
}
