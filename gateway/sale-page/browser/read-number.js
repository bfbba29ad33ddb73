// common/sale/words/read-number.ts without types, made by `npm run generate`.

import { fill } from "../../web/browser/message.js";
import { decimalSeparator, reduced } from "./numbers.js";

const MAX_CHARACTERS = 200;
const ENTERED = /^[$€£]?\s*([^\p{L}$€£]*[^\p{L}$€£\s])(?:\s*[$€£]|\s+(\p{L}[\p{L}\p{N}\s/().-]*))?$/u;
const SIZE =
  /^(?:k|m|mm|mn|mln|mio|mill|millions?|millionen|b|bn|bln|bio|billions?|billionen|mrd|milliarden?|t|tn|trn|trillions?|trillionen|tsd|thousand|tausend|hundred|hundert|dozen|dutzend|lakhs?|crores?|cents?|ct|percent|prozent|wei|gwei|lamports?)(?![\p{L}\p{N}])/iu;
const GROUPED = /^[1-9]\d{0,2}(?:([,_'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
const COMMA_GROUPED = /^[1-9]\d{0,2}(?:([._'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:,\d+)?$/;
const COMMA_PLAIN = /^\d+,\d*$|^,\d+$/;
const SEPARATORS = /[,._'’ \u00a0\u202f]/g;
const FRACTION = /^(\d+)\s*\/\s*(\d+)$/;
const COMMA = /^\d+,\d+$/;
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;

export function readExactNumber(text, numberWords, language) {
  const trimmed = text.trim();
  if (trimmed === "") return { reason: numberWords.missing };
  if (trimmed.length > MAX_CHARACTERS) return { reason: fill(numberWords.long, { count: String(MAX_CHARACTERS) }) };
  if (/^[-−]/.test(trimmed)) return { reason: numberWords.negative };
  const [, entered = "", unit = ""] = ENTERED.exec(trimmed) ?? [];
  const number = SIZE.test(unit) ? "" : entered.trim();
  const [, numerator, denominator] = FRACTION.exec(number) ?? [];
  if (numerator !== undefined && denominator !== undefined) {
    return /^0+$/.test(denominator)
      ? { reason: numberWords.zero }
      : reduced({ numerator: BigInt(numerator), denominator: BigInt(denominator) });
  }
  const hasComma = decimalSeparator(language) === ",";
  const [, before, after] = hasComma ? (AMBIGUOUS.exec(number) ?? []) : [];
  if (before !== undefined && after !== undefined) {
    const readings = { whole: before + after, decimal: `${before}.${after}0` };
    return { reason: fill(numberWords.ambiguous, readings), isAmbiguous: true };
  }
  if (GROUPED.test(number) || PLAIN.test(number)) return decimal(number, ".");
  if (hasComma && (COMMA_GROUPED.test(number) || COMMA_PLAIN.test(number))) return decimal(number, ",");
  if (COMMA.test(number)) return { reason: fill(numberWords.comma, { number: number.replace(",", ".") }) };
  return { reason: numberWords.example };
}

export function isNumber(read) {
  return "numerator" in read;
}

function decimal(text, separator) {
  const [whole = "", places = ""] = text.split(separator);
  return reduced({
    numerator: BigInt(`${whole.replace(SEPARATORS, "")}${places}`),
    denominator: 10n ** BigInt(places.length),
  });
}
