import { fill, type Translation } from "../../platform/language/message.ts";
import { type ExactNumber, reduced } from "./exact-text.ts";
import { decimalSeparator } from "./number-text.ts";

/** Reason why an entry can't be read as a number. */
export interface NotANumber {
  readonly reason: string;
}

const MAX_CHARACTERS = 200;
/** Currency sign before a number, and text after it such as "USDC per token". */
const ENTERED = /^[$€£]?\s*([^\p{L}]*[^\p{L}\s])(?:\s+\p{L}[\p{L}\p{N}\s/().-]*)?$/u;
const GROUPED = /^[1-9]\d{0,2}(?:([,_'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
const FRACTION = /^(\d+)\s*\/\s*(\d+)$/;
const COMMA = /^\d+,\d+$/;
/** A number that means another one to readers whose language has a comma before decimals. */
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/** Reasons why an entry can't be read as a number. */
export const NUMBER_WORDS = {
  missing: "Enter a number",
  long: "Write at most {count} characters",
  negative: "It can’t be negative",
  zero: "The number after / can’t be 0",
  comma: "Write {number} with a point if that is meant",
  ambiguous: "Write {whole} or {decimal}, whichever is meant",
  example: "Write a number such as 0.25, 1,000,000 or 1/3",
} as const;

/**
 * Reads a number exactly: `0.25`, `1,000,000.5`, `$0.25`, `1/3`, `0.25 USDC per token`. Never negative. An entry means the same
 * in every language; one that readers of the language would read otherwise, such as `5.000` in German, is refused.
 *
 * @param numberWords the reasons, in the language of `language`, a BCP 47 tag
 * @returns the number, or the reason why it can't be read
 */
export function readExactNumber(
  text: string,
  numberWords: Translation<typeof NUMBER_WORDS> = NUMBER_WORDS,
  language = "en",
): ExactNumber | NotANumber {
  const trimmed = text.trim();
  if (trimmed === "") return { reason: numberWords.missing };
  if (trimmed.length > MAX_CHARACTERS) return { reason: fill(numberWords.long, { count: String(MAX_CHARACTERS) }) };
  if (/^[-−]/.test(trimmed)) return { reason: numberWords.negative };
  const number = ENTERED.exec(trimmed)?.[1]?.trim() ?? "";
  const [, numerator, denominator] = FRACTION.exec(number) ?? [];
  if (numerator !== undefined && denominator !== undefined) {
    return /^0+$/.test(denominator)
      ? { reason: numberWords.zero }
      : reduced({ numerator: BigInt(numerator), denominator: BigInt(denominator) });
  }
  const [, before, after] = decimalSeparator(language) === "," ? (AMBIGUOUS.exec(number) ?? []) : [];
  if (before !== undefined && after !== undefined) {
    const readings = { whole: before + after, decimal: `${before}.${after}0` };
    return { reason: fill(numberWords.ambiguous, readings) };
  }
  if (GROUPED.test(number)) return decimal(number.replace(/[,_'’ \u00a0\u202f]/g, ""));
  if (PLAIN.test(number)) return decimal(number);
  if (COMMA.test(number)) return { reason: fill(numberWords.comma, { number: number.replace(",", ".") }) };
  return { reason: numberWords.example };
}

export function isNumber(read: ExactNumber | NotANumber): read is ExactNumber {
  return "numerator" in read;
}

function decimal(text: string): ExactNumber {
  const [whole = "", places = ""] = text.split(".");
  return reduced({ numerator: BigInt(`${whole}${places}`), denominator: 10n ** BigInt(places.length) });
}
