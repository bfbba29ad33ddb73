// @ts-check
// The texts of the public read's figures on a page. Runs in the browser and on the server, so that both show the same.

import { amountFigure, countFigure, optionalPriceFigure } from "./numbers.js";
import { language, texts } from "./words.js";

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
 * @typedef {import("../../../common/sale/words/currency.ts").Currency} Currency
 * @typedef {import("../../../common/sale/words/figure.ts").Units} Units
 * @typedef {import("../../../common/sale/words/figure.ts").Figure} Figure
 */

/**
 * @param {Totals} totals
 * @param {Currency} currency
 * @returns {Units}
 */
export function unitsOf({ PaymentTokenDecimals, OfferedTokenDecimals }, currency) {
  return { payment: PaymentTokenDecimals, offered: OfferedTokenDecimals, language: language(), ...currency };
}

/**
 * Whether amounts are dollars. The body has prices in micro-USD only where they are.
 *
 * @param {Totals & { Commitments: readonly Commitment[] }} body
 */
export function isInDollars({ ClearingPriceMicroUSD, Commitments }) {
  return (ClearingPriceMicroUSD ?? Commitments[0]?.PriceMicroUSD) !== undefined;
}

/** Returns the units of figures that stand together and are compared: tiles, charts, and a sale in a sentence. @param {Units} units */
export function shortUnits(units) {
  return { ...units, isShort: true };
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
    count: countFigure(UniqueCommitmentCount, units),
    clearing: optionalPriceFigure(ClearingPriceNumerator, ClearingPriceDenominator, units),
  };
}
