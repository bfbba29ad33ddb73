import { html } from "hono/html";
import type { Figure } from "../../../common/sale/words/figure.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { titleOf } from "../browser/row-texts.js";
import { exactlyText, type Tile, tilesNote, tileText } from "../browser/tiles.js";
import { UTC } from "../browser/times.js";
import { texts } from "../browser/words.js";

/** Length of the bar's drawing: one for each hundredth. */
const BAR = { length: 100, height: 2 };
/** IDs of the figures that a page says first and largest: what is raised, at which price, and what came of it. */
const LEADING: readonly string[] = ["total", "accepted", "refunded", "clearing", "price"];

/** Returns the figures that a reader looks for first. */
export function leadingFigures(tiles: readonly Tile[]): Html {
  return figureList(
    "lead",
    tiles.filter(({ id }) => LEADING.includes(id)),
  );
}

/** Returns all other figures, and how figures are meant. */
export function otherFigures(tiles: readonly Tile[]): Html {
  const note = html`<p class="rounding quiet">${tilesNote(tiles)} <span class="needs-script">${texts().tile.exactly}</span>
<span class="zone">${fillHtml(texts().time.zone, { zone: html`<span id="zone">${UTC}</span>` })}</span></p>`;
  const others = tiles.filter(({ id }) => !LEADING.includes(id));
  return html`${figureList("more", others)}${note}`;
}

/** @param name of the list, for the script and for styles */
function figureList(name: string, tiles: readonly Tile[]): Html {
  return html`<dl class="tiles ${name}" data-part="${name}" data-key="${tiles.map(({ id }) => id).join(" ")}">
${tiles.map(tileHtml)}
</dl>`;
}

function tileHtml({ id, label, figure, note = "", bar, mark, isHidden }: Tile): Html {
  return html`<div class="tile"${isHidden ? html` hidden` : ""}><dt>${label}</dt><dd>${figureHtml(id, figure)}<span id="${id}-exact" class="hidden">${exactlyText(figure)}</span></dd>
<dd class="note quiet">${bar !== undefined && barHtml(id, bar, mark)}<span id="${id}-note">${note}</span></dd></div>`;
}

/** Returns a figure, to which the script adds a button that copies it, and otherwise the same as `showFigure` of the page's script. */
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
