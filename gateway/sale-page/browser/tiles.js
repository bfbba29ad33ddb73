// @ts-check
// The tiles at the top of a sale's page. Runs in the browser and on the server, so that both show the same.

import { fill } from "../../web/browser/message.js";
import { headFigures, perToken } from "./figures.js";
import { amountFigure, optionalPriceFigure } from "./numbers.js";
import { offeredFigure, presentPrice, shareOf, valueFigure } from "./offer.js";
import { texts } from "./words.js";

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
 *   "FloorDenominator" | "AcceptedAmount" | "Stage"> & { readonly Status?: SaleFacts["Status"] }} Terms of a sale, and its outcome
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
  const { label } = texts();
  return [
    {
      id: "total",
      label: label.committed,
      figure: total,
      ...committedShare(offer, BigInt(totals.TotalCommitmentAmount)),
    },
    { id: "count", label: label.commitments, figure: count },
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
  return share && { note: fill(texts().tile.share, { share: share.text }), bar: share.bar };
}

/**
 * Returns what is accepted, and the rest, from the settlement on.
 *
 * @param {Terms} terms
 * @param {bigint} total
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function outcomeTiles({ AcceptedAmount, Status, Stage }, total, units) {
  if (AcceptedAmount === undefined) return [];
  const accepted = BigInt(AcceptedAmount);
  const share = shareOf(accepted, total, ONE);
  const { accepted: title, ofCommitted, refunded, toRefund, notAccepted } = texts().tile;
  const note = share && { note: fill(ofCommitted, { share: share.text }), bar: share.bar };
  const tile = { id: "accepted", label: title, figure: amountFigure(accepted, units), ...note };
  // The contract's own totals may contradict each other; the page says so elsewhere.
  if (accepted > total) return [tile];
  // Only a contract, which has a stage, says that it has paid back the rest.
  const settled = Stage === undefined ? notAccepted : refunded;
  return [
    tile,
    { id: "refunded", label: Status === "settled" ? settled : toRefund, figure: amountFigure(total - accepted, units) },
  ];
}

/**
 * @param {Terms} terms
 * @param {Figure | undefined} clearing
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function priceTiles({ PriceNumerator, PriceDenominator }, clearing, units) {
  const per = perToken(units);
  const { label, tile } = texts();
  if (clearing !== undefined) return [{ id: "clearing", label: fill(label.clearing, { per }), figure: clearing }];
  const figure = optionalPriceFigure(PriceNumerator, PriceDenominator, units);
  return figure === undefined ? [] : [{ id: "price", label: fill(tile.price, { per }), figure }];
}

/**
 * @param {Offer} offer
 * @returns {readonly Tile[]}
 */
function offerTiles({ token, amount, supply }) {
  if (amount === undefined) return [];
  const share = supply && shareOf(amount, supply, ONE);
  const { tile } = texts();
  const note = share && { note: fill(tile.shareOfAll, { share: share.text }) };
  return [{ id: "offered", label: tile.offered, figure: offeredFigure(amount, token), ...note }];
}

/**
 * @param {Terms} terms
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function floorTiles({ FloorNumerator, FloorDenominator }, units) {
  const figure = optionalPriceFigure(FloorNumerator, FloorDenominator, units);
  const label = fill(texts().tile.floor, { per: perToken(units) });
  return figure === undefined ? [] : [{ id: "floor", label, figure }];
}

/**
 * @param {Offer} offer
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function dilutedTiles({ token, supply, price }, units) {
  if (supply === undefined || price === undefined) return [];
  const { tile } = texts();
  const note = fill(tile.inAll, { amount: offeredFigure(supply, token).text });
  return [{ id: "diluted", label: tile.diluted, figure: valueFigure(supply, price, units), note }];
}

/**
 * Returns how the figures of tiles are meant.
 *
 * @param {readonly Tile[]} tiles
 */
export function tilesNote(tiles) {
  const isValued = tiles.some(({ id, bar }) => id === "diluted" || bar !== undefined);
  const isAuction = tiles.some(({ id }) => id === "clearing");
  const { tile } = texts();
  const sentences = isValued ? [isAuction ? tile.atClearing : tile.atPrice, tile.rounding] : [tile.rounding];
  return sentences.join(" ");
}

/** Returns the size in which a figure of a tile is written. @param {string} text */
export function widthOf(text) {
  if (text.length <= WIDTHS.normal) return "normal";
  return text.length <= WIDTHS.long ? "long" : "longest";
}
