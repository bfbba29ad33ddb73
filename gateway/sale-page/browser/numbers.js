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
const MOST_ZEROS = 8;
const WRITTEN_OUT = { long: 9, short: 6 };
const WITH_WORD = 18;
const FIRST_WORD = 2;
const LAST_WORD = 4;

export function countText(count, language = "en") {
  return numberFormat(language).format(count);
}

export const decimalSeparator = perLanguage((language) => numberFormat(language).format(0.5)[1] ?? ".");

export function readableText(numerator, denominator, language, shape = {}) {
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

function wordText(whole, length, language) {
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

const wordPatterns = perLanguage((language) => {
  const { format } = new Intl.NumberFormat(language, { notation: "compact" });
  return [1e6, 1e9, 1e12].map((one) => format(one));
});

function smallText(numerator, denominator, language) {
  const place = Math.max(1, String(denominator).length - String(numerator).length);
  const scaled = (numerator * 10n ** BigInt(place + SIGNIFICANT)) / denominator;
  const digits = String(scaled);
  const zeros = place + SIGNIFICANT - digits.length;
  if (zeros > MOST_ZEROS) return powerText(digits, -zeros - 1, language);
  const decimals = "0".repeat(zeros) + digits.slice(0, SIGNIFICANT);
  return `0${decimalSeparator(language)}${decimals.replace(/0+$/, "").padEnd(2, "0")}`;
}

function powerText(digits, exponent, language) {
  const rest = digits.slice(1, SIGNIFICANT).replace(/0+$/, "");
  const power = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");
  return `${digits[0]}${rest && decimalSeparator(language) + rest}\u00a0×\u00a010${exponent < 0 ? "⁻" : ""}${power}`;
}

const hasSignFirst = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(0).endsWith("0"),
);

export function withCurrency(text, { dollars, symbol }, language) {
  if (dollars) return hasSignFirst(language) ? `$${text}` : `${text}\u00a0$`;
  return symbol ? `${text} ${symbol}` : text;
}

export const PRICE_PLACES = 4;
export const MOST_DECIMALS = 40;

export function amountFigure(amount, units) {
  const text = readableText(amount, 10n ** BigInt(units.payment), units.language, { isShort: units.isShort });
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
  const text = readableText(numerator, denominator, units.language, { places, isShort: units.isShort });
  return { text: withCurrency(text, units, units.language), exact: exactQuotient(numerator, denominator) };
}

export function exactQuotient(numerator, denominator) {
  return exactText({ numerator, denominator }, MOST_DECIMALS);
}

export function countFigure(count, { language, isShort }) {
  return { text: readableText(BigInt(count), 1n, language, { places: 0, isShort }), exact: String(count) };
}

export function saysExactly({ text, exact }) {
  return significantDigits(text) === significantDigits(exact);
}

function significantDigits(text) {
  return text.replace(/\D/g, "").replace(/^0+|0+$/g, "");
}
