// @ts-check
// The tiles at the top of a sale's page. Runs in the browser and on the server, so that both show the same.

import { amountFigure, headFigures, perToken, priceFigure } from "./figures.js";
import { floorFigure, offeredFigure, presentPrice, shareOf, valueFigure } from "./offer.js";

/** The price of a unit in itself. */
const ONE = { numerator: 1n, denominator: 1n };
/** Numbers of characters up to which a figure fits into a tile at a size of its letters. */
const WIDTHS = { normal: 17, long: 25 };

/**
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Totals} Totals
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./offer.js").OfferedToken} OfferedToken
 * @typedef {import("./offer.js").Price} Price
 * @typedef {import("./offer.js").Share} Share
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 *
 * @typedef {object} Tile
 * @property {string} id
 * @property {string} label
 * @property {Figure} figure
 * @property {string} [note] line below the figure
 * @property {number} [bar] length of a bar, 0 to 100
 *
 * @typedef {Pick<SaleFacts, "Pricing" | "OfferedToken" | "PriceNumerator" | "PriceDenominator" | "FloorNumerator" |
 *   "FloorDenominator" | "AcceptedAmount"> & { readonly Status?: SaleFacts["Status"] }} Terms of a sale, and its outcome
 *
 * @typedef {object} Offer
 * @property {OfferedToken} token
 * @property {bigint | undefined} amount smallest units for sale
 * @property {bigint | undefined} supply smallest units that there are or will be
 * @property {Price | undefined} price
 */

/**
 * Returns the tiles, those whose figure is known.
 *
 * @param {Terms} terms
 * @param {Totals} totals
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
export function tilesOf(terms, totals, units) {
  const { total, count, clearing } = headFigures(totals, units);
  const offer = offerOf(terms, totals);
  return [
    { id: "total", label: "Committed", figure: total, ...committedShare(offer, BigInt(totals.TotalCommitmentAmount)) },
    { id: "count", label: "Commitments", figure: count },
    ...outcomeTiles(terms, BigInt(totals.TotalCommitmentAmount), units),
    ...priceTiles(terms, clearing, units),
    ...offerTiles(offer),
    ...floorTiles(terms, units),
    ...dilutedTiles(offer, units),
  ];
}

/**
 * @param {Terms} terms
 * @param {Totals} totals
 * @returns {Offer}
 */
function offerOf(terms, totals) {
  const { Amount, TotalSupply } = terms.OfferedToken;
  return {
    token: terms.OfferedToken,
    amount: Amount === undefined ? undefined : BigInt(Amount),
    supply: TotalSupply === undefined ? undefined : BigInt(TotalSupply),
    price: presentPrice(totals, terms),
  };
}

/**
 * @param {Offer} offer
 * @param {bigint} total
 */
function committedShare({ amount, price }, total) {
  const share = amount === undefined || price === undefined ? undefined : shareOf(total, amount, price);
  return share && { note: `${share.text} of the offer`, bar: share.bar };
}

/**
 * Returns what is accepted and refunded, from the settlement on.
 *
 * @param {Terms} terms
 * @param {bigint} total
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function outcomeTiles({ AcceptedAmount, Status }, total, units) {
  if (AcceptedAmount === undefined) return [];
  const accepted = BigInt(AcceptedAmount);
  const share = shareOf(accepted, total, ONE);
  const note = share && { note: `${share.text} of what was committed`, bar: share.bar };
  const tile = { id: "accepted", label: "Accepted", figure: amountFigure(accepted, units), ...note };
  // The contract's own totals may contradict each other; the page says so elsewhere.
  if (accepted > total) return [tile];
  const label = Status === "settled" ? "Refunded" : "To be refunded";
  return [tile, { id: "refunded", label, figure: amountFigure(total - accepted, units) }];
}

/**
 * @param {Terms} terms
 * @param {Figure | undefined} clearing
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function priceTiles({ PriceNumerator, PriceDenominator }, clearing, units) {
  const per = perToken(units);
  if (clearing !== undefined) return [{ id: "clearing", label: `Clearing price ${per}`, figure: clearing }];
  if (PriceNumerator === undefined || PriceDenominator === undefined) return [];
  return [{ id: "price", label: `Price ${per}`, figure: priceFigure(PriceNumerator, PriceDenominator, units) }];
}

/**
 * @param {Offer} offer
 * @returns {readonly Tile[]}
 */
function offerTiles({ token, amount, supply }) {
  if (amount === undefined) return [];
  const share = supply && shareOf(amount, supply, ONE);
  const note = share && { note: `${share.text} of the total supply` };
  return [{ id: "offered", label: "For sale", figure: offeredFigure(amount, token), ...note }];
}

/**
 * @param {Terms} terms
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function floorTiles(terms, units) {
  const figure = floorFigure(terms, units);
  return figure === undefined ? [] : [{ id: "floor", label: `Lowest price ${perToken(units)}`, figure }];
}

/**
 * @param {Offer} offer
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function dilutedTiles({ token, supply, price }, units) {
  if (supply === undefined || price === undefined) return [];
  const note = `${offeredFigure(supply, token).text} in all`;
  return [{ id: "diluted", label: "Fully diluted value", figure: valueFigure(supply, price, units), note }];
}

/**
 * Returns how the figures of tiles are meant.
 *
 * @param {readonly Tile[]} tiles
 */
export function tilesNote(tiles) {
  const isValued = tiles.some(({ id, bar }) => id === "diluted" || bar !== undefined);
  const isAuction = tiles.some(({ id }) => id === "clearing");
  const at = isAuction ? "the clearing price" : "the sale’s price";
  return `${isValued ? `Shares of the offer and values are at ${at}. ` : ""}Figures are rounded down.`;
}

/** Returns the size in which a figure of a tile is written. @param {string} text */
export function widthOf(text) {
  if (text.length <= WIDTHS.normal) return "normal";
  return text.length <= WIDTHS.long ? "long" : "longest";
}
