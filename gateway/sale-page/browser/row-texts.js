// @ts-check
// The texts of a commitment in the list on a page. Runs in the browser and on the server, so that both show the same.

import { fillCounted } from "../../web/browser/message.js";
import { amountFigure, priceFigure } from "./numbers.js";
import { timeText } from "./times.js";
import { language, texts } from "./words.js";

/** Characters up to which an exact value is shown at the pointer. Longer ones are for programs. */
const LONGEST_TITLE = 48;
/** Characters of an address or an ID that are shown at either end. */
const SHOWN_CHARACTERS = 4;

/**
 * @typedef {import("./figures.js").Commitment} Commitment
 * @typedef {import("./figures.js").Figure} Figure
 * @typedef {import("./figures.js").Units} Units
 *
 * @typedef {object} Row of the list of commitments
 * @property {string} time for machines
 * @property {string} moment the same for people
 * @property {Figure} amount
 * @property {Figure} price
 * @property {Figure} wallet
 */

/**
 * @param {Commitment} commitment
 * @param {Units} units
 * @returns {Row}
 */
export function rowOf({ Amounts, PriceNumerator, PriceDenominator, CreatedAt }, units) {
  const amount = Amounts.reduce((sum, { Amount }) => sum + BigInt(Amount), 0n);
  return {
    time: CreatedAt,
    moment: timeText(CreatedAt),
    amount: amountFigure(amount, units),
    price: priceFigure(PriceNumerator, PriceDenominator, units),
    wallet: walletFigure([...new Set(Amounts.map(({ Wallet }) => Wallet))]),
  };
}

/** Returns the text at the pointer for a figure of a row. @param {Figure} figure */
export function titleOf({ exact }) {
  return exact.length <= LONGEST_TITLE ? exact : "";
}

/**
 * @param {readonly string[]} wallets
 * @returns {Figure}
 */
function walletFigure([first = "", ...others]) {
  if (first === "") return { text: "—", exact: "" };
  const short = shortText(first);
  if (others.length === 0) return { text: short, exact: first };
  const text = fillCounted(texts().list.moreWallets, others.length, language(), { wallet: short });
  return { text, exact: first };
}

/** Returns the ends of an address or an ID. @param {string} text */
export function shortText(text) {
  return `${text.slice(0, text.startsWith("0x") ? 2 + SHOWN_CHARACTERS : SHOWN_CHARACTERS)}…${text.slice(-SHOWN_CHARACTERS)}`;
}
