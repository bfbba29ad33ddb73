import { numberFormat, perLanguage } from "../../platform/language/per-language.ts";
import type { Currency } from "./currency.ts";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Digits of a number below 1, and of one with a power of ten. */
const SIGNIFICANT = 4;
const MOST_ZEROS = 8;
/** Digits up to which the whole part of a number is written out: where there is room, and beside a chart. */
const WRITTEN_OUT = { long: 9, short: 6 };
/** Digits of the largest number with a word for its thousands; the last words go on to the end. */
const WITH_WORD = 18;
/** Powers of 1000 with a short word of their own: a million, billion and trillion in English. */
const FIRST_WORD = 2;
const LAST_WORD = 4;

/** How a number is written. */
export interface NumberShape {
  /** Decimals, of which at least two are written where there are any. */
  readonly places?: number;
  /** Whether it is short from a million on, as the numbers of charts are; else from a billion on. */
  readonly isShort?: boolean | undefined;
}

/** Returns a count in groups of three digits. @param language a BCP 47 tag */
export function countText(count: bigint, language = "en"): string {
  return numberFormat(language).format(count);
}

/** Returns the character before decimals in a language. */
export const decimalSeparator = perLanguage((language) => numberFormat(language).format(0.5)[1] ?? ".");

/**
 * Returns a fraction rounded down: with two to `places` decimals from 1 on, with four significant digits below 1 and of large
 * numbers, which end in a word such as `1.249B`, and with a power of ten where there is no word.
 *
 * @param numerator not negative
 * @param denominator positive
 */
export function readableText(
  numerator: bigint,
  denominator: bigint,
  language: string,
  shape: NumberShape = {},
): string {
  const { places = 2, isShort = false } = shape;
  if (numerator === 0n) return "0";
  const whole = numerator / denominator;
  if (whole === 0n) return smallText(numerator, denominator, language);
  const digits = String(whole);
  if (digits.length > WITH_WORD) return powerText(digits, digits.length - 1, language);
  if (digits.length > WRITTEN_OUT[isShort ? "short" : "long"]) return wordText(whole, digits.length, language);
  if (places === 0) return countText(whole, language);
  const decimals = String(((numerator % denominator) * 10n ** BigInt(places)) / denominator).padStart(places, "0");
  return `${countText(whole, language)}${decimalSeparator(language)}${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
}

/** Returns a large number in four digits and a word for its size, where the language puts it. */
function wordText(whole: bigint, length: number, language: string): string {
  const power = Math.min(LAST_WORD, Math.floor((length - 1) / 3));
  const unit = 1000n ** BigInt(power);
  const above = whole / unit;
  const places = Math.max(0, SIGNIFICANT - String(above).length);
  const decimals = String(whole % unit)
    .padStart(3 * power, "0")
    .slice(0, places)
    .replace(/0+$/, "");
  const text = `${countText(above, language)}${decimals && decimalSeparator(language) + decimals}`;
  return (wordPatterns(language)[power - FIRST_WORD] ?? "1").replace("1", text);
}

/** Numbers of one million, one billion and so on in a language: `1M`, `1 Mrd.`. */
const wordPatterns = perLanguage((language) => {
  const { format } = new Intl.NumberFormat(language, { notation: "compact" });
  return [1e6, 1e9, 1e12].map((one) => format(one));
});

function smallText(numerator: bigint, denominator: bigint, language: string): string {
  // The first significant digit is at this place or one before.
  const place = Math.max(1, String(denominator).length - String(numerator).length);
  const scaled = (numerator * 10n ** BigInt(place + SIGNIFICANT)) / denominator;
  const digits = String(scaled);
  const zeros = place + SIGNIFICANT - digits.length;
  if (zeros > MOST_ZEROS) return powerText(digits, -zeros - 1, language);
  const decimals = "0".repeat(zeros) + digits.slice(0, SIGNIFICANT);
  return `0${decimalSeparator(language)}${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

/**
 * Returns a number as its first digits and a power of ten.
 *
 * @param digits beginning with a significant one
 * @param exponent of the first of them
 */
function powerText(digits: string, exponent: number, language: string): string {
  const rest = digits.slice(1, SIGNIFICANT).replace(/0+$/, "");
  const power = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");
  return `${digits[0]}${rest && decimalSeparator(language) + rest}\u00a0×\u00a010${exponent < 0 ? "⁻" : ""}${power}`;
}

/** Whether a language writes a currency's sign before the number. */
const hasSignFirst = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(0).endsWith("0"),
);

/** Returns a number with a dollar sign, where the language puts it, or the token's symbol after it, where a line may end before it. */
export function withCurrency(text: string, { dollars, symbol }: Currency, language: string): string {
  if (dollars) return hasSignFirst(language) ? `$${text}` : `${text}\u00a0$`;
  return symbol ? `${text} ${symbol}` : text;
}
