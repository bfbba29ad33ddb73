// @ts-check
// The list of a wallet's commitments on a page.

import { showTime } from "./times-view.js";

/** @typedef {import("./position-view.js").Bid} Bid */

/**
 * Shows commitments in a list. Entries stay in place and get other texts, so that nothing moves that hasn't come or gone.
 *
 * @param {Element} list
 * @param {HTMLTemplateElement} template of an entry, which has an element with `data-field` for each text
 * @param {readonly Bid[]} bids
 */
export function showBids(list, template, bids) {
  while (list.childElementCount > bids.length) list.lastElementChild?.remove();
  for (const [index, bid] of bids.entries()) {
    const entry = list.children[index] ?? list.appendChild(newEntry(template));
    fillEntry(/** @type {HTMLElement} */ (entry), bid);
  }
}

/** @param {HTMLTemplateElement} template */
function newEntry(template) {
  return /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
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
