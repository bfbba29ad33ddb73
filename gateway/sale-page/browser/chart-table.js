// @ts-check

import { fill } from "../../web/browser/message.js";
import { texts } from "./words.js";

/** Most rows of a table; of more, some are left out, evenly. */
const MAX_ROWS = 60;

/** @typedef {import("./figures.js").Figure} Figure */

/**
 * The numbers of a chart as a table, for keyboards and screen readers. It is filled when it is opened, and then stays as
 * it is, so that nothing changes under its reader.
 */
export class ChartTable {
  #name;
  /** @type {(() => readonly (readonly Figure[])[]) | undefined} */
  #rows;
  #nothing = "";
  #isFilled = false;

  /** @param {"history" | "clearing" | "count" | "demand"} name of the chart */
  constructor(name) {
    this.#name = name;
    const details = this.#find("details");
    details?.append(tableOf(name));
    details?.addEventListener("toggle", () => {
      this.#isFilled = false;
      this.#fill();
    });
  }

  /**
   * Takes the present numbers.
   *
   * @template T
   * @param {readonly T[]} entries
   * @param {(entry: T) => readonly Figure[]} cellsOf
   * @param {string} nothing text of a table without rows
   */
  show(entries, cellsOf, nothing) {
    this.#rows = () => evenly(entries).map(cellsOf);
    this.#nothing = nothing;
    this.#fill();
  }

  #fill() {
    const [details, body] = [this.#find("details"), this.#find("tbody")];
    if (!(details instanceof HTMLDetailsElement) || !details.open || this.#isFilled || this.#rows === undefined) return;
    const rows = this.#rows().map(rowOf);
    body?.replaceChildren(...(rows.length > 0 ? rows : [rowOf([{ text: this.#nothing, exact: "" }])]));
    this.#isFilled = true;
  }

  /** @param {string} selector */
  #find(selector) {
    return document.querySelector(`figure[data-chart="${this.#name}"] ${selector}`);
  }
}

/**
 * Returns a chart's table without rows, in a region that the keyboard can scroll.
 *
 * @param {"history" | "clearing" | "count" | "demand"} name
 */
function tableOf(name) {
  const { chart, label, tile } = texts();
  const price = fill(tile.price, { per: "<span data-per></span>" });
  const heads = {
    history: [chart.time, label.committed, label.commitments],
    clearing: [chart.time, price],
    count: [chart.time, label.commitments],
    demand: [price, chart.bidOrMore],
  }[name];
  const region = document.createElement("div");
  region.className = "numbers";
  region.tabIndex = 0;
  region.setAttribute("role", "region");
  region.setAttribute("aria-labelledby", `${name}-title`);
  // Mark-up and texts of our own alone.
  const cells = heads.map((head) => `<th scope="col">${head}</th>`).join("");
  region.innerHTML = `<table><caption class="hidden">${chart[name]}</caption><thead><tr>${cells}</tr></thead><tbody></tbody></table>`;
  return region;
}

/**
 * Returns at most `MAX_ROWS` entries: the first, the last, and others at even distances.
 *
 * @template T
 * @param {readonly T[]} entries
 * @returns {readonly T[]}
 */
export function evenly(entries) {
  const step = (entries.length - 1) / (MAX_ROWS - 1);
  if (step <= 1) return entries;
  return Array.from({ length: MAX_ROWS }, (_, index) => /** @type {T} */ (entries[Math.round(index * step)]));
}

/** @param {readonly Figure[]} cells */
function rowOf(cells) {
  const row = document.createElement("tr");
  for (const { text, exact } of cells) {
    const cell = row.insertCell();
    cell.textContent = text;
    cell.title = exact;
  }
  return row;
}
