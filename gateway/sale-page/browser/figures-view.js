// @ts-check
// Writes figures into a page: its tiles, and the rows of its list.

import { titleOf } from "./row-texts.js";
import { exactlyText, tileText } from "./tiles.js";
import { showTime } from "./times-view.js";

/** The figures in a row's cells, behind its time. */
const FIGURES = /** @type {const} */ (["wallet", "amount", "price"]);

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
  for (const { id, label, figure, note = "", bar, mark, isHidden = false } of tiles) {
    showFigure(id, figure);
    const tile = document.getElementById(id)?.closest(".tile");
    writeIn(tile?.querySelector("dt"), label);
    write(`${id}-note`, note);
    if (bar !== undefined) document.getElementById(`${id}-bar`)?.setAttribute("width", String(bar));
    if (mark !== undefined) document.getElementById(`${id}-mark`)?.setAttribute("x", String(mark));
    tile?.toggleAttribute("hidden", isHidden);
  }
}

/**
 * @param {string} id
 * @param {import("./figures.js").Figure} figure
 */
function showFigure(id, figure) {
  const { text, exact } = figure;
  const element = document.getElementById(id);
  if (!(element instanceof HTMLDataElement) || (element.value === exact && element.textContent === text)) return;
  const { number, unit, length, isLong } = tileText(text);
  element.value = exact;
  element.title = titleOf(figure);
  element.dataset["length"] = String(length);
  element.replaceChildren(number, ...(unit === "" ? [] : [" ", unitOf(unit, isLong)]));
  write(`${id}-exact`, exactlyText(figure));
}

/**
 * @param {string} unit
 * @param {boolean} isLong
 */
function unitOf(unit, isLong) {
  const element = document.createElement("small");
  element.toggleAttribute("data-long", isLong);
  element.textContent = unit;
  return element;
}

/**
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  writeIn(document.getElementById(id), text);
}

/**
 * @param {Element | null | undefined} element
 * @param {string} text
 */
function writeIn(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** An empty row of the list of commitments, as the server writes it. */
export function newRow() {
  const row = document.createElement("tr");
  row.insertCell().append(document.createElement("time"));
  for (const _ of FIGURES) row.insertCell();
  return row;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {Row} shown
 */
export function fillRow(row, { time, ...figures }) {
  const element = row.querySelector("time");
  if (element !== null && element.dateTime !== time) showTime(element, time);
  for (const [index, name] of FIGURES.entries()) {
    const cell = row.cells[index + 1];
    const { text } = figures[name];
    const title = titleOf(figures[name]);
    if (cell === undefined) continue;
    // Reading the text costs less than setting the same one.
    if (cell.textContent !== text) cell.textContent = text;
    if (cell.title !== title) cell.title = title;
  }
}
