import { numberFormat, perLanguage } from "../../platform/language/per-language.ts";
import type { Currency } from "./currency.ts";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Digits of a number below 1, and of one with a power of ten. */
const SIGNIFICANT = 4;
const LARGEST_DIGITS = 15;
const MOST_ZEROS = 8;

/** Returns a count in groups of three digits. @param language a BCP 47 tag */
export function countText(count: bigint, language = "en"): string {
  return numberFormat(language).format(count);
}

/** Returns the character before decimals in a language. */
export const decimalSeparator = perLanguage((language) => numberFormat(language).format(0.5)[1] ?? ".");

/**
 * Returns a fraction rounded down: with two to `places` decimals from 1 on, with four significant digits below 1, and
 * with a power of ten where it is very large or very small.
 *
 * @param numerator not negative
 * @param denominator positive
 */
export function readableText(numerator: bigint, denominator: bigint, language: string, places = 2): string {
  if (numerator === 0n) return "0";
  const whole = numerator / denominator;
  if (whole === 0n) return smallText(numerator, denominator, language);
  const digits = String(whole);
  if (digits.length > LARGEST_DIGITS) return powerText(digits, digits.length - 1, language);
  const decimals = String(((numerator % denominator) * 10n ** BigInt(places)) / denominator).padStart(places, "0");
  const separator = decimalSeparator(language);
  return `${countText(whole, language)}${separator}${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
}

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
export function powerText(digits: string, exponent: number, language: string): string {
  const rest = digits.slice(1, SIGNIFICANT).replace(/0+$/, "");
  const power = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");
  return `${digits[0]}${rest && decimalSeparator(language) + rest} × 10${exponent < 0 ? "⁻" : ""}${power}`;
}

/** Whether a language writes a currency's sign before the number. */
const hasSignFirst = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(0).endsWith("0"),
);

/** Returns a number with a dollar sign, where the language puts it, or the token's symbol after it. */
export function withCurrency(text: string, { dollars, symbol }: Currency, language: string): string {
  if (dollars) return hasSignFirst(language) ? `$${text}` : `${text}\u00a0$`;
  return symbol ? `${text}\u00a0${symbol}` : text;
}
