// @ts-check
// Writes figures into a page: its tiles, and the rows of its list.

import { titleOf } from "./row-texts.js";
import { widthOf } from "./tiles.js";

/**
 * @typedef {import("./tiles.js").Tile} Tile
 * @typedef {import("./row-texts.js").Row} Row
 */

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

/** An empty row of the list of commitments, as the server writes it. */
export function newRow() {
  const row = document.createElement("tr");
  for (const name of ["time", "wallet", "amount", "price"]) {
    const cell = row.insertCell();
    cell.className = name;
    if (name === "time") cell.append(document.createElement("time"));
  }
  return row;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {Row} shown
 */
export function fillRow(row, { time, moment, ...figures }) {
  const element = row.querySelector("time");
  if (element !== null && element.dateTime !== time) {
    element.dateTime = time;
    element.textContent = moment;
  }
  for (const name of /** @type {const} */ (["wallet", "amount", "price"])) {
    const cell = row.querySelector(`.${name}`);
    const { text } = figures[name];
    const title = titleOf(figures[name]);
    if (!(cell instanceof HTMLElement)) continue;
    // Reading the text costs less than setting the same one.
    if (cell.textContent !== text) cell.textContent = text;
    if (cell.title !== title) cell.title = title;
  }
}
