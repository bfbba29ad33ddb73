// @ts-check
// The tiles at the top of a sale's page. Runs in the browser and on the server, so that both show the same.

import { fill } from "../../web/browser/message.js";
import { headFigures, perToken, shortUnits } from "./figures.js";
import { amountFigure, optionalPriceFigure, priceFigure, saysExactly } from "./numbers.js";
import { offeredFigure, shareOf, valueFigure } from "./offer.js";
import { offerState } from "./offer-rules.js";
import { titleOf } from "./row-texts.js";
import { texts } from "./words.js";

/** The price of a unit in itself. */
const ONE = { numerator: 1n, denominator: 1n };
/** Characters of a unit from which on it has a line of its own. */
const LONG_UNIT = 10;
/** Width of a unit's character, whose letters are smaller than those of numbers. */
const UNIT_CHARACTER = 0.75;
/** Distance between the lengths for which the style sheet has a size. */
const LENGTH_STEP = 4;

/**
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Totals} Totals
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("./offer.js").OfferedToken} OfferedToken
 * @typedef {import("./offer.js").OfferState} OfferState
 * @typedef {import("./offer.js").Share} Share
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 *
 * @typedef {object} Tile
 * @property {string} id
 * @property {string} label
 * @property {Figure} figure
 * @property {string} [note] line below the figure
 * @property {number} [bar] length of a bar, 0 to 100
 * @property {number} [mark] where the whole is on that bar
 * @property {boolean} [isHidden] whether another tile has its figure for now
 *
 * @typedef {Pick<SaleFacts, "Pricing" | "OfferedToken" | "PriceNumerator" | "PriceDenominator" | "FloorNumerator" |
 *   "FloorDenominator" | "AcceptedAmount" | "Stage" | "ClearingRule"> & { readonly Status?: SaleFacts["Status"] }} Terms of a sale, and its outcome
 *
 * @typedef {OfferState & { token: OfferedToken, supply: bigint | undefined }} Offer what is for sale, and the smallest units that there are or will be
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
  return shownTiles(terms, totals, shortUnits(units));
}

/**
 * @param {Terms} terms
 * @param {Totals} totals
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function shownTiles(terms, totals, units) {
  const { total, count } = headFigures(totals, units);
  const offer = offerOf(terms, totals);
  const { label } = texts();
  return [
    {
      id: "total",
      label: label.committed,
      figure: total,
      // What is bid in all there has bought at many prices, and much of it is outbid: no price makes a share of it.
      ...(terms.ClearingRule === undefined && committedShare(offer)),
    },
    { id: "count", label: label.commitments, figure: count },
    ...outcomeTiles(terms, BigInt(totals.TotalCommitmentAmount), units),
    ...priceTiles(offer, terms, totals, units),
    ...offerTiles(offer),
    ...floorTiles(offer, terms, units),
    ...dilutedTiles(offer, units),
  ];
}

/**
 * @param {Terms} terms
 * @param {Totals} totals
 * @returns {Offer}
 */
function offerOf(terms, totals) {
  const { OfferedToken: token } = terms;
  const { TotalSupply } = token;
  return { ...offerState(terms, totals), token, supply: TotalSupply === undefined ? undefined : BigInt(TotalSupply) };
}

/** @param {Offer} offer */
function committedShare({ amount, demand, price }) {
  const share = amount === undefined || price === undefined ? undefined : shareOf(demand, amount, price);
  if (share === undefined || price === undefined) return undefined;
  const { bar, mark } = share;
  return { note: shareText(share, price.kind === "fixed"), bar, mark };
}

/**
 * @param {Share} share
 * @param {boolean} isFixed
 */
function shareText({ text, times }, isFixed) {
  const { tile } = texts();
  if (times !== undefined) return fill(isFixed ? tile.commitTimes : tile.bidTimes, { times });
  return fill(isFixed ? tile.commitShare : tile.bidShare, { share: text });
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
 * @param {Offer} offer
 * @param {Terms} terms
 * @param {Totals} totals
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function priceTiles({ price }, terms, totals, units) {
  if (price === undefined) return [];
  const { kind, numerator, denominator } = price;
  const { label, tile } = texts();
  const isFinal = terms.Status === "settled" && kind === "clearing";
  const names = { clearing: label.clearing, floor: label.floor, fixed: tile.price };
  return [
    {
      id: kind === "fixed" ? "price" : "clearing",
      label: fill(isFinal ? tile.final : names[kind], { per: perToken(units) }),
      figure: priceFigure(String(numerator), String(denominator), units),
      note: kind === "floor" ? floorNote(terms, totals) : "",
    },
  ];
}

/**
 * Returns why the price is the floor. It is said in words that stay true when bidding has ended.
 *
 * @param {Terms} terms
 * @param {Totals} totals
 */
function floorNote({ Status }, { UniqueCommitmentCount }) {
  const { tile } = texts();
  if (Status === "settled") return "";
  return Number(UniqueCommitmentCount) === 0 ? tile.bidNone : tile.unsold;
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
 * @param {Offer} offer
 * @param {Terms} terms
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function floorTiles({ price }, { FloorNumerator, FloorDenominator }, units) {
  const figure = optionalPriceFigure(FloorNumerator, FloorDenominator, units);
  const label = fill(texts().label.floor, { per: perToken(units) });
  return figure === undefined ? [] : [{ id: "floor", label, figure, isHidden: price?.kind === "floor" }];
}

/**
 * @param {Offer} offer
 * @param {Units} units
 * @returns {readonly Tile[]}
 */
function dilutedTiles({ token, supply, price }, units) {
  if (supply === undefined || price === undefined) return [];
  const { tile } = texts();
  const amounts = { amount: offeredFigure(supply, token).text };
  const { text } = priceFigure(String(price.numerator), String(price.denominator), units);
  const note = fill(tile.inAll, { ...amounts, price: text });
  return [{ id: "diluted", label: tile.diluted, figure: valueFigure(supply, price, units), note }];
}

/**
 * Returns how the figures of tiles are meant.
 *
 * @param {readonly Tile[]} tiles
 */
export function tilesNote(tiles) {
  const isShared = tiles.some(({ id, bar }) => id === "total" && bar !== undefined);
  const { tile } = texts();
  return (isShared ? [tile.atPrice, tile.rounding] : [tile.rounding]).join(" ");
}

/**
 * Returns a figure's text for a tile: its number, its unit, and the length by which the style sheet chooses a size that fits.
 *
 * @param {string} text
 * @returns {{ number: string, unit: string, length: number, isLong: boolean }} with `isLong` the unit has a line of its own
 */
export function tileText(text) {
  const end = text.indexOf(" ");
  const [number, unit] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
  const isLong = unit.length > LONG_UNIT;
  const length = number.length + (isLong || unit === "" ? 0 : 1 + unit.length * UNIT_CHARACTER);
  return { number, unit, length: LENGTH_STEP * Math.max(2, Math.ceil(length / LENGTH_STEP)), isLong };
}

/** Returns what a tile says of its exact figure; empty where its text has all of it, or nobody would listen to so many digits. @param {Figure} figure */
export function exactlyText(figure) {
  return saysExactly(figure) || titleOf(figure) === "" ? "" : fill(texts().tile.exact, { exact: figure.exact });
}
