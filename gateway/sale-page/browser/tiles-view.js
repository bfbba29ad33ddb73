// @ts-check

import { widthOf } from "./tiles.js";

/** @typedef {import("./tiles.js").Tile} Tile */

/**
 * Shows the figures of tiles. Tiles that the page doesn't have come with its next texts.
 *
 * @param {readonly Tile[]} tiles
 */
export function showTiles(tiles) {
  for (const { id, label, figure, note = "", bar } of tiles) {
    showFigure(id, figure);
    write(`${id}-label`, label);
    write(`${id}-note`, note);
    if (bar !== undefined) document.getElementById(`${id}-bar`)?.setAttribute("width", String(bar));
  }
}

/**
 * @param {string} id
 * @param {import("./figures.js").Figure} figure
 */
function showFigure(id, { text, exact }) {
  const element = document.getElementById(id);
  if (!(element instanceof HTMLDataElement) || (element.value === exact && element.textContent === text)) return;
  element.textContent = text;
  element.value = exact;
  element.dataset["width"] = widthOf(text);
}

/**
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  const element = document.getElementById(id);
  if (element !== null && element.textContent !== text) element.textContent = text;
}
