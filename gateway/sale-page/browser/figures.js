// @ts-check
// The texts of the public read's figures on a page. Runs in the browser and on the server, so that both show the same.

import { decimalText, exactText, readableText } from "./numbers.js";

const PRICE_PLACES = 4;
/** Characters of an address or an ID that are shown at either end. */
const SHOWN_CHARACTERS = 4;

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
 * @property {{ Wallet: string, Amount: string }[]} Amounts
 * @property {string} CreatedAt
 *
 * @typedef {object} Units how amounts and prices read
 * @property {number} payment decimals of amounts
 * @property {number | undefined} offered decimals of the token that is sold, where they are known
 * @property {boolean} dollars
 *
 * @typedef {object} Figure
 * @property {string} text for people
 * @property {string} exact
 *
 * @typedef {object} Row of the list of commitments
 * @property {string} time for machines
 * @property {string} date
 * @property {string} clock
 * @property {Figure} amount
 * @property {Figure} price
 * @property {Figure} wallet
 */

/**
 * @param {Totals} totals
 * @param {boolean} dollars
 * @returns {Units}
 */
export function unitsOf({ PaymentTokenDecimals, OfferedTokenDecimals }, dollars) {
  return { payment: PaymentTokenDecimals, offered: OfferedTokenDecimals, dollars };
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
export function amountFigure(amount, { payment, dollars }) {
  const text = readableText(amount, 10n ** BigInt(payment));
  return { text: withSign(text, dollars), exact: decimalText(amount, payment) };
}

/**
 * Returns the price of a whole token, or of its smallest unit where its decimals aren't known.
 *
 * @param {string} numerator
 * @param {string} denominator
 * @param {Units} units
 * @returns {Figure}
 */
export function priceFigure(numerator, denominator, { payment, offered = 0, dollars }) {
  const [above, below] = [BigInt(numerator) * 10n ** BigInt(offered), BigInt(denominator) * 10n ** BigInt(payment)];
  return { text: withSign(readableText(above, below, PRICE_PLACES), dollars), exact: exactText(above, below) };
}

/** @param {Units} units */
export function perToken({ offered }) {
  return offered === undefined ? "per smallest unit" : "per token";
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
  const isAuction = ClearingPriceNumerator !== undefined && ClearingPriceDenominator !== undefined;
  const count = BigInt(UniqueCommitmentCount);
  return {
    total: amountFigure(BigInt(totals.TotalCommitmentAmount), units),
    count: { text: readableText(count, 1n).replace(".00", ""), exact: String(count) },
    clearing: isAuction ? priceFigure(ClearingPriceNumerator, ClearingPriceDenominator, units) : undefined,
  };
}

/**
 * @param {Commitment} commitment
 * @param {Units} units
 * @returns {Row}
 */
export function rowOf({ Amounts, PriceNumerator, PriceDenominator, CreatedAt }, units) {
  const amount = Amounts.reduce((sum, { Amount }) => sum + BigInt(Amount), 0n);
  return {
    time: CreatedAt,
    date: CreatedAt.slice(0, 10),
    clock: CreatedAt.slice(11, 19),
    amount: amountFigure(amount, units),
    price: priceFigure(PriceNumerator, PriceDenominator, units),
    wallet: walletFigure([...new Set(Amounts.map(({ Wallet }) => Wallet))]),
  };
}

/**
 * @param {readonly string[]} wallets
 * @returns {Figure}
 */
function walletFigure([first = "", ...others]) {
  if (first === "") return { text: "—", exact: "" };
  const short = `${first.slice(0, first.startsWith("0x") ? 2 + SHOWN_CHARACTERS : SHOWN_CHARACTERS)}…${first.slice(-SHOWN_CHARACTERS)}`;
  return { text: others.length === 0 ? short : `${short} +${others.length}`, exact: first };
}

/**
 * @param {string} text
 * @param {boolean} dollars
 */
function withSign(text, dollars) {
  return dollars ? `$${text}` : text;
}
