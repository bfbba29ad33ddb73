// common/sale/words/exact-text.ts and common/sale/words/number-text.ts and common/sale/words/figure.ts without types, made by `npm run generate`.

export function reduced({ numerator, denominator }) {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export function decimalText(units, decimals) {
  const digits = String(units).padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

export function exactText(number, mostPlaces = Number.POSITIVE_INFINITY) {
  const { numerator, denominator } = reduced(number);
  const places = decimalPlaces(denominator);
  if (places === undefined || places > mostPlaces) return `${numerator}/${denominator}`;
  return decimalText((numerator * 10n ** BigInt(places)) / denominator, places);
}

function decimalPlaces(denominator) {
  let [rest, twos, fives] = [denominator, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function greatestCommonDivisor(a, b) {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

import { numberFormat, perLanguage } from "../../web/browser/message.js";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SIGNIFICANT = 4;
const LARGEST_DIGITS = 15;
const MOST_ZEROS = 8;

export function countText(count, language = "en") {
  return numberFormat(language).format(count);
}

export const decimalSeparator = perLanguage((language) => numberFormat(language).format(0.5)[1] ?? ".");

export function readableText(numerator, denominator, language, places = 2) {
  if (numerator === 0n) return "0";
  const whole = numerator / denominator;
  if (whole === 0n) return smallText(numerator, denominator, language);
  const digits = String(whole);
  if (digits.length > LARGEST_DIGITS) return powerText(digits, digits.length - 1, language);
  const decimals = String(((numerator % denominator) * 10n ** BigInt(places)) / denominator).padStart(places, "0");
  const separator = decimalSeparator(language);
  return `${countText(whole, language)}${separator}${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
}

function smallText(numerator, denominator, language) {
  const place = Math.max(1, String(denominator).length - String(numerator).length);
  const scaled = (numerator * 10n ** BigInt(place + SIGNIFICANT)) / denominator;
  const digits = String(scaled);
  const zeros = place + SIGNIFICANT - digits.length;
  if (zeros > MOST_ZEROS) return powerText(digits, -zeros - 1, language);
  const decimals = "0".repeat(zeros) + digits.slice(0, SIGNIFICANT);
  return `0${decimalSeparator(language)}${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

export function powerText(digits, exponent, language) {
  const rest = digits.slice(1, SIGNIFICANT).replace(/0+$/, "");
  const power = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");
  return `${digits[0]}${rest && decimalSeparator(language) + rest} × 10${exponent < 0 ? "⁻" : ""}${power}`;
}

const hasSignFirst = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(0).endsWith("0"),
);

export function withCurrency(text, { dollars, symbol }, language) {
  if (dollars) return hasSignFirst(language) ? `$${text}` : `${text}\u00a0$`;
  return symbol ? `${text}\u00a0${symbol}` : text;
}

const PRICE_PLACES = 4;
const MOST_DECIMALS = 40;

export function amountFigure(amount, units) {
  const text = readableText(amount, 10n ** BigInt(units.payment), units.language);
  return { text: withCurrency(text, units, units.language), exact: decimalText(amount, units.payment) };
}

export function priceFigure(numerator, denominator, units) {
  const { payment, offered = 0 } = units;
  const above = BigInt(numerator) * 10n ** BigInt(offered);
  return quotientFigure(above, BigInt(denominator) * 10n ** BigInt(payment), units, PRICE_PLACES);
}

export function optionalPriceFigure(numerator, denominator, units) {
  return numerator === undefined || denominator === undefined ? undefined : priceFigure(numerator, denominator, units);
}

export function quotientFigure(numerator, denominator, units, places = 2) {
  const text = readableText(numerator, denominator, units.language, places);
  return { text: withCurrency(text, units, units.language), exact: exactQuotient(numerator, denominator) };
}

export function exactQuotient(numerator, denominator) {
  return exactText({ numerator, denominator }, MOST_DECIMALS);
}

export function countFigure(count, language) {
  const text = readableText(BigInt(count), 1n, language).replace(`${decimalSeparator(language)}00`, "");
  return { text, exact: String(count) };
}
