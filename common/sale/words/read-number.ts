import { fill, type Translation } from "../../platform/language/message.ts";
import { type ExactNumber, reduced } from "./exact-text.ts";
import { decimalSeparator } from "./number-text.ts";
import type { NUMBER_WORDS } from "./number-words.ts";

/** Reason why an entry can't be read as a number. */
export interface NotANumber {
  readonly reason: string;
  /** Whether it is a number, but another one to readers of other languages. */
  readonly isAmbiguous?: true;
}

const MAX_CHARACTERS = 200;
/** Currency sign before a number, and text or such a sign after it, such as "USDC per token". */
const ENTERED = /^[$€£]?\s*([^\p{L}$€£]*[^\p{L}$€£\s])(?:\s*[$€£]|\s+(\p{L}[\p{L}\p{N}\s/().-]*))?$/u;
/** A first word after a number that makes it another one, such as `10 million` and `50 cents`; it can't be a token's symbol then. */
const SIZE =
  /^(?:k|m|mm|mn|mln|mio|mill|millions?|millionen|b|bn|bln|bio|billions?|billionen|mrd|milliarden?|t|tn|trn|trillions?|trillionen|tsd|thousand|tausend|hundred|hundert|dozen|dutzend|lakhs?|crores?|cents?|ct|percent|prozent|wei|gwei|lamports?)(?![\p{L}\p{N}])/iu;
const GROUPED = /^[1-9]\d{0,2}(?:([,_'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
/** The same two where a comma is before decimals. */
const COMMA_GROUPED = /^[1-9]\d{0,2}(?:([._'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:,\d+)?$/;
const COMMA_PLAIN = /^\d+,\d*$|^,\d+$/;
const SEPARATORS = /[,._'’ \u00a0\u202f]/g;
const FRACTION = /^(\d+)\s*\/\s*(\d+)$/;
const COMMA = /^\d+,\d+$/;
/** A number that means another one to readers whose language has a comma before decimals. */
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/**
 * Reads a number exactly: `0.25`, `1,000,000.5`, `$0.25`, `1/3`, `0.25 USDC per token`, and in a language with a comma before
 * decimals `0,25` and `1.000.000,5`, too. Never negative. An entry means the same number in every language that reads it. One that
 * readers of the language could take for another number, such as `5.000` in German, is refused.
 *
 * @param numberWords the reasons, in the language of `language`
 * @param language a BCP 47 tag. Required, as a number that is read in another language than its page's may be misread
 * @returns the number, or the reason why it can't be read
 */
export function readExactNumber(
  text: string,
  numberWords: Translation<typeof NUMBER_WORDS>,
  language: string,
): ExactNumber | NotANumber {
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

export function isNumber(read: ExactNumber | NotANumber): read is ExactNumber {
  return "numerator" in read;
}

/** @param separator before the decimals; all others are between groups */
function decimal(text: string, separator: "." | ","): ExactNumber {
  const [whole = "", places = ""] = text.split(separator);
  return reduced({
    numerator: BigInt(`${whole.replace(SEPARATORS, "")}${places}`),
    denominator: 10n ** BigInt(places.length),
  });
}
