// @ts-check
// Texts of numbers of any size, exact and rounded. Runs in the browser and on the server.

import { numberFormat, perLanguage } from "./message.js";
import { language } from "./words.js";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Digits of a number below 1, and of one with a power of ten. */
const SIGNIFICANT = 4;
const LARGEST_DIGITS = 15;
const MOST_ZEROS = 8;
/** Most decimals of an exact decimal; with more, a fraction is shorter. */
const MOST_DECIMALS = 40;

/**
 * Returns a number of smallest units as an exact decimal.
 *
 * @param {bigint} units not negative
 * @param {number} decimals
 */
export function decimalText(units, decimals) {
  const digits = String(units).padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

/** @param {bigint} count */
export function groupedText(count) {
  return numberFormat(language()).format(count);
}

/** The character before decimals. */
const separator = perLanguage((tag) => numberFormat(tag).format(0.5)[1] ?? ".");

/** Returns the character before decimals in the language that is written. */
export function decimalSeparator() {
  return separator(language());
}

/**
 * Returns a fraction rounded down: with two to `places` decimals from 1 on, with four significant digits below 1, and
 * with a power of ten where it is very large or very small.
 *
 * @param {bigint} numerator not negative
 * @param {bigint} denominator positive
 */
export function readableText(numerator, denominator, places = 2) {
  if (numerator === 0n) return "0";
  const whole = numerator / denominator;
  if (whole === 0n) return smallText(numerator, denominator);
  const digits = String(whole);
  if (digits.length > LARGEST_DIGITS) return powerText(digits, digits.length - 1);
  const fraction = String(((numerator % denominator) * 10n ** BigInt(places)) / denominator).padStart(places, "0");
  return `${groupedText(whole)}${decimalSeparator()}${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, "")}`;
}

/**
 * @param {bigint} numerator
 * @param {bigint} denominator
 */
function smallText(numerator, denominator) {
  // The first significant digit is at this place or one before.
  const place = Math.max(1, String(denominator).length - String(numerator).length);
  const scaled = (numerator * 10n ** BigInt(place + SIGNIFICANT)) / denominator;
  const digits = String(scaled);
  const zeros = place + SIGNIFICANT - digits.length;
  if (zeros > MOST_ZEROS) return powerText(digits, -zeros - 1);
  const fraction = "0".repeat(zeros) + digits.slice(0, SIGNIFICANT);
  return `0${decimalSeparator()}${fraction.replace(/0+$/, "").padEnd(2, "0")}`;
}

/**
 * @param {string} digits beginning with a significant one
 * @param {number} exponent of the first of them
 */
function powerText(digits, exponent) {
  const rest = digits.slice(1, SIGNIFICANT).replace(/0+$/, "");
  const power = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");
  return `${digits[0]}${rest && decimalSeparator() + rest} × 10${exponent < 0 ? "⁻" : ""}${power}`;
}

/**
 * Returns a fraction exactly: as a decimal where that is short, else as a reduced fraction.
 *
 * @param {bigint} numerator not negative
 * @param {bigint} denominator positive
 */
export function exactText(numerator, denominator) {
  const divisor = greatestCommonDivisor(numerator, denominator);
  const reduced = denominator / divisor;
  let [rest, twos, fives] = [reduced, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  const decimals = Math.max(twos, fives);
  if (rest !== 1n || decimals > MOST_DECIMALS) return `${numerator / divisor}/${reduced}`;
  return decimalText((numerator * 10n ** BigInt(decimals)) / denominator, decimals);
}

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function greatestCommonDivisor(a, b) {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}
