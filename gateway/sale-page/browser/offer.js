// @ts-check
// The texts of what a sale offers. Runs in the browser and on the server, so that both show the same.

import { fill, perLanguage } from "../../web/browser/message.js";
import { countText, decimalSeparator, exactQuotient, quotientFigure, readableText } from "./numbers.js";
import { language, texts } from "./words.js";

/** Times from which on nobody would read how many: a mistaken amount, price or supply. */
const MOST_TIMES = 1_000_000n;

/**
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Totals} Totals
 * @typedef {import("./figures.js").Units} Units
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {SaleFacts["OfferedToken"]} OfferedToken
 *
 * @typedef {import("../../../common/sale/figures/offer-state.ts").OfferState} OfferState
 *
 * @typedef {object} Price smallest payment units for a smallest offered unit
 * @property {bigint} numerator
 * @property {bigint} denominator
 *
 * @typedef {object} Share
 * @property {string} text in per cent, rounded down
 * @property {string} [times] the same as a multiple, where it is more than all
 * @property {number} bar 0 to 100, to draw
 * @property {number} mark where all is on that bar, 0 to 100
 */

/**
 * Returns a number of offered tokens; of their smallest units where their decimals aren't known.
 *
 * @param {bigint} amount in smallest units
 * @param {OfferedToken} token
 * @returns {Figure}
 */
export function offeredFigure(amount, { Symbol: symbol, Decimals }) {
  const one = 10n ** BigInt(Decimals ?? 0);
  const { tile } = texts();
  const unit = Decimals === undefined ? tile.units : (symbol ?? tile.tokens);
  return { text: `${shortText(amount, one)} ${unit}`, exact: exactQuotient(amount, one) };
}

/**
 * Returns the share of an offer that a sum pays for.
 *
 * @param {bigint} total in smallest payment units
 * @param {bigint} offered in smallest offered units
 * @param {Price} price
 * @returns {Share | undefined} undefined where the offer costs nothing
 */
export function shareOf(total, offered, { numerator, denominator }) {
  const [paid, cost] = [total * denominator, offered * numerator];
  if (cost === 0n) return undefined;
  const text = shareText(paid, cost);
  if (paid <= cost) return { text, bar: hundredths(paid, cost), mark: 100 };
  return { text, times: timesText(paid, cost), bar: 100, mark: hundredths(cost, paid) };
}

/**
 * Returns a share of something to draw, in per cent.
 *
 * @param {bigint} part
 * @param {bigint} whole
 */
function hundredths(part, whole) {
  return Number((part * 10_000n) / whole) / 100;
}

/**
 * Returns a share in per cent: a number that says something, or the bound that it is beyond.
 *
 * @param {bigint} part
 * @param {bigint} whole
 */
function shareText(part, whole) {
  const { less, more } = texts().tile;
  if (part > 0n && part * 10_000n < whole) return fill(less, { share: percentText(shortText(1n, 100n)) });
  if (part * 100n > whole * MOST_TIMES) return fill(more, { share: percentText(countText(MOST_TIMES, language())) });
  return percentText(shortText(100n * part, whole));
}

/**
 * @param {bigint} part
 * @param {bigint} whole
 */
function timesText(part, whole) {
  if (part <= whole * MOST_TIMES) return shortText(part, whole);
  return fill(texts().tile.more, { share: countText(MOST_TIMES, language()) });
}

/**
 * Returns what a number of offered tokens comes to at a price.
 *
 * @param {bigint} amount in smallest offered units
 * @param {Price} price
 * @param {Units} units
 * @returns {Figure}
 */
export function valueFigure(amount, { numerator, denominator }, units) {
  const [above, below] = [amount * numerator, denominator * 10n ** BigInt(units.payment)];
  return quotientFigure(above, below, units);
}

/**
 * Returns a fraction rounded down, without zeros at its end.
 *
 * @param {bigint} numerator
 * @param {bigint} denominator
 */
function shortText(numerator, denominator) {
  const separator = decimalSeparator(language());
  const [whole = "", decimals = ""] = readableText(numerator, denominator, language(), { isShort: true }).split(
    separator,
  );
  const digits = decimals.replace(/^(\d*?)0*$/, "$1");
  return digits === "" ? whole : whole + separator + digits;
}

const hundredth = perLanguage((tag) => new Intl.NumberFormat(tag, { style: "percent" }).format(0.01));

/** Returns a number with a per cent sign, and the space before it that some languages want. @param {string} text */
function percentText(text) {
  return hundredth(language()).replace("1", text);
}
