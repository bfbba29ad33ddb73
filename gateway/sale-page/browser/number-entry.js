// @ts-check
// Numbers as people write them, in the language of their page.

import { decimalSeparator } from "./numbers.js";
import { language } from "./words.js";

const MAX_CHARACTERS = 60;
const PLAIN = /^\d+(?:[.,]\d*)?$|^[.,]\d+$/;

/**
 * Reads a number exactly: with the language's own marks for decimals and groups, and with either mark for decimals where it can't
 * be one for groups. A currency around it doesn't count.
 *
 * @param {string} text
 * @returns {{ numerator: bigint, denominator: bigint } | undefined} undefined for no number that is more than nothing
 */
export function readNumber(text) {
  const point = decimalSeparator(language());
  const number = text.replace(/^\s*[$€£]|[\s\u00a0\u202f'’]|[\p{L}$€£]+\s*$/gu, "");
  if (number.length > MAX_CHARACTERS) return undefined;
  const group = point === "," ? "." : ",";
  const grouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+(?:\\${point}\\d*)?$`);
  const plain = grouped.test(number) ? number.replaceAll(group, "") : number;
  if (!PLAIN.test(plain)) return undefined;
  const [whole = "", places = ""] = plain.split(/[.,]/);
  const numerator = BigInt(`0${whole}${places}`);
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(places.length) };
}
