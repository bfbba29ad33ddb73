// @ts-check

import { titleOf } from "./row-texts.js";

/** @typedef {import("./row-texts.js").Row} Row */

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
