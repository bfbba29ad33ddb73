// @ts-check
// The bids of the wallet that is looked up, and the price that is tried, for the parts of the page that mark them.

/** @typedef {import("./marks.js").Price} Price */

/** Event of the document after another choice of bids. */
export const BIDS_EVENT = "tidemark:bids";

/** @type {readonly Price[]} */
let bids = [];

export function ownBids() {
  return bids;
}

/** The price of a bid that is only tried. @type {Price | undefined} */
let tried;

export function triedPrice() {
  return tried;
}

/** @param {Price | undefined} next */
export function setTriedPrice(next) {
  tried = next;
  document.dispatchEvent(new Event(BIDS_EVENT));
}

/** Sets the bids, each price once. @param {readonly Price[]} next */
export function setOwnBids(next) {
  const prices = new Map(next.map((price) => [`${price.numerator}/${price.denominator}`, price]));
  bids = [...prices.values()];
  document.dispatchEvent(new Event(BIDS_EVENT));
}
