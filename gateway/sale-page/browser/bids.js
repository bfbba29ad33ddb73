// @ts-check
// The list of a wallet's commitments on a page. Its entries are those that the server writes where no script runs.

import { fill } from "../../web/browser/message.js";
import { showTime } from "./times-view.js";
import { texts } from "./words.js";

/** @typedef {import("./position-view.js").Bid} Bid */

/**
 * Shows commitments in a list. Entries stay in place and get other texts, so that nothing moves that hasn't come or gone.
 *
 * @param {Element} list
 * @param {string} per unit that prices are for
 * @param {readonly Bid[]} bids
 */
export function showBids(list, per, bids) {
  while (list.childElementCount > bids.length) list.lastElementChild?.remove();
  for (const [index, bid] of bids.entries()) {
    const entry = list.children[index] ?? list.appendChild(newEntry(per));
    fillEntry(/** @type {HTMLElement} */ (entry), bid);
  }
}

/** Returns an entry without figures: mark-up and texts of our own alone. @param {string} per */
function newEntry(per) {
  const { lookUp, tile } = texts();
  const entry = document.createElement("li");
  const row = (/** @type {string} */ label, /** @type {string} */ name) =>
    `<div${name === "whole" ? " data-part" : ""}><dt>${label}</dt><dd data-field="${name}"></dd></div>`;
  const figures = [
    row(lookUp.amount, "amount"),
    row(lookUp.whole, "whole"),
    row(fill(tile.price, { per }), "price"),
    `<div><dt>${lookUp.time}</dt><dd><time data-field="time"></time></dd></div>`,
    row(lookUp.commitment, "id"),
  ];
  entry.innerHTML = `<p><strong class="badge" data-field="badge"></strong> <span class="quiet" data-field="detail"></span></p>
<dl>${figures.join("")}</dl>`;
  return entry;
}

/**
 * @param {HTMLElement} entry
 * @param {Bid} bid
 */
function fillEntry(entry, { state, badge, detail, amount, price, time, id, whole }) {
  entry.dataset["state"] = state;
  setText(entry, "badge", badge);
  setText(entry, "detail", detail);
  for (const [name, figure] of Object.entries({ amount, price, id, whole })) {
    const element = setText(entry, name, figure?.text ?? "");
    if (element.title !== (figure?.exact ?? "")) element.title = figure?.exact ?? "";
    const part = element.closest("[data-part]");
    if (part instanceof HTMLElement) part.hidden = figure === undefined;
  }
  const moment = entry.querySelector('[data-field="time"]');
  if (moment instanceof HTMLTimeElement) showTime(moment, time);
}

/**
 * @param {HTMLElement} entry
 * @param {string} name of a field
 * @param {string} text
 */
function setText(entry, name, text) {
  const element = /** @type {HTMLElement} */ (entry.querySelector(`[data-field="${name}"]`));
  // Reading the text costs less than setting the same one.
  if (element.textContent !== text) element.textContent = text;
  return element;
}
