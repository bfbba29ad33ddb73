// @ts-check
// The texts of the public read's figures on a page. Runs in the browser and on the server, so that both show the same.

import { perLanguage } from "./message.js";
import { decimalSeparator, decimalText, exactText, readableText } from "./numbers.js";
import { language, texts } from "./words.js";

const PRICE_PLACES = 4;

/**
 * @typedef {object} Totals all fields of the public read's body but the list
 * @property {string} TotalCommitmentAmount
 * @property {number | bigint} UniqueCommitmentCount
 * @property {number} PaymentTokenDecimals
 * @property {number} [OfferedTokenDecimals]
 * @property {string} [ClearingPriceNumerator]
 * @property {string} [ClearingPriceDenominator]
 * @property {string} [ClearingPriceMicroUSD]
 *
 * @typedef {object} Commitment
 * @property {string} CommitmentID
 * @property {string} PriceNumerator
 * @property {string} PriceDenominator
 * @property {string} [PriceMicroUSD]
 * @property {readonly { readonly Wallet: string, readonly Amount: string }[]} Amounts
 * @property {string} CreatedAt
 *
 * @typedef {object} Currency of amounts and prices
 * @property {boolean} dollars
 * @property {string} [symbol] of the payment token, where it is known
 *
 * @typedef {object} Decimals
 * @property {number} payment decimals of amounts
 * @property {number | undefined} offered decimals of the token that is sold, where they are known
 *
 * @typedef {Currency & Decimals} Units how amounts and prices read
 *
 * @typedef {object} Figure
 * @property {string} text for people
 * @property {string} exact
 */

/**
 * @param {Totals} totals
 * @param {Currency} currency
 * @returns {Units}
 */
export function unitsOf({ PaymentTokenDecimals, OfferedTokenDecimals }, currency) {
  return { payment: PaymentTokenDecimals, offered: OfferedTokenDecimals, ...currency };
}

/**
 * Whether amounts are dollars. The body has prices in micro-USD only where they are.
 *
 * @param {Totals & { Commitments: readonly Commitment[] }} body
 */
export function isInDollars({ ClearingPriceMicroUSD, Commitments }) {
  return (ClearingPriceMicroUSD ?? Commitments[0]?.PriceMicroUSD) !== undefined;
}

/**
 * @param {bigint} amount in smallest units
 * @param {Units} units
 * @returns {Figure}
 */
export function amountFigure(amount, units) {
  const text = readableText(amount, 10n ** BigInt(units.payment));
  return { text: withCurrency(text, units), exact: decimalText(amount, units.payment) };
}

/**
 * Returns the price of a whole token, or of its smallest unit where its decimals aren't known.
 *
 * @param {string} numerator
 * @param {string} denominator
 * @param {Units} units
 * @returns {Figure}
 */
export function priceFigure(numerator, denominator, units) {
  const { payment, offered = 0 } = units;
  const [above, below] = [BigInt(numerator) * 10n ** BigInt(offered), BigInt(denominator) * 10n ** BigInt(payment)];
  return { text: withCurrency(readableText(above, below, PRICE_PLACES), units), exact: exactText(above, below) };
}

/**
 * Returns a price as `priceFigure`; undefined where there is none.
 *
 * @param {string | undefined} numerator
 * @param {string | undefined} denominator
 * @param {Units} units
 * @returns {Figure | undefined}
 */
export function optionalPriceFigure(numerator, denominator, units) {
  return numerator === undefined || denominator === undefined ? undefined : priceFigure(numerator, denominator, units);
}

/**
 * @param {number | bigint} count
 * @returns {Figure}
 */
export function countFigure(count) {
  return { text: readableText(BigInt(count), 1n).replace(`${decimalSeparator()}00`, ""), exact: String(count) };
}

/** @param {Units} units */
export function perToken({ offered }) {
  const { label } = texts();
  return offered === undefined ? label.perUnit : label.perToken;
}

/**
 * Returns the figures at the top of a page. Only some auctions have a clearing price.
 *
 * @param {Totals} totals
 * @param {Units} units
 * @returns {{ total: Figure, count: Figure, clearing: Figure | undefined }}
 */
export function headFigures(totals, units) {
  const { ClearingPriceNumerator, ClearingPriceDenominator, UniqueCommitmentCount } = totals;
  return {
    total: amountFigure(BigInt(totals.TotalCommitmentAmount), units),
    count: countFigure(UniqueCommitmentCount),
    clearing: optionalPriceFigure(ClearingPriceNumerator, ClearingPriceDenominator, units),
  };
}

/** Whether a language writes a currency's sign before the number. */
const hasSignFirst = perLanguage((tag) =>
  new Intl.NumberFormat(tag, { style: "currency", currency: "USD" }).format(0).endsWith("0"),
);

/**
 * Returns a number with a dollar sign, where the language puts it, or the token's symbol after it.
 *
 * @param {string} text
 * @param {Currency} currency
 */
export function withCurrency(text, { dollars, symbol }) {
  if (dollars) return hasSignFirst(language()) ? `$${text}` : `${text}\u00a0$`;
  return symbol ? `${text}\u00a0${symbol}` : text;
}
