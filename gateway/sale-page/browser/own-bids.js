// @ts-check
// The bids of the wallet that is looked up, for the parts of the page that mark them.

/** @typedef {import("./marks.js").Price} Price */

/** Event of the document after another choice of bids. */
export const BIDS_EVENT = "tidemark:bids";

/** @type {readonly Price[]} */
let bids = [];

export function ownBids() {
  return bids;
}

/** Sets the bids, each price once. @param {readonly Price[]} next */
export function setOwnBids(next) {
  const prices = new Map(next.map((price) => [`${price.numerator}/${price.denominator}`, price]));
  bids = [...prices.values()];
  document.dispatchEvent(new Event(BIDS_EVENT));
}
