import type { Currency } from "./currency.ts";
import { decimalText, exactText } from "./exact-text.ts";
import { readableText, withCurrency } from "./number-text.ts";

/** Decimals of a price. */
export const PRICE_PLACES = 4;
/** Most decimals of an exact decimal; with more, a fraction is shorter. */
export const MOST_DECIMALS = 40;

/** A figure of a sale, rounded for people and exact. */
export interface Figure {
  readonly text: string;
  readonly exact: string;
}

/** How amounts and prices of a sale read. */
export interface Units extends Currency {
  /** Decimals of amounts. */
  readonly payment: number;
  /** Decimals of the token that is sold; undefined where they aren't known. */
  readonly offered: number | undefined;
  /** A BCP 47 tag. */
  readonly language: string;
  /** Whether numbers are short from a million on, as those of charts are; else from a billion on. */
  readonly isShort?: boolean;
}

/** Returns an amount. @param amount in smallest units */
export function amountFigure(amount: bigint, units: Units): Figure {
  const text = readableText(amount, 10n ** BigInt(units.payment), units.language, { isShort: units.isShort });
  return { text: withCurrency(text, units, units.language), exact: decimalText(amount, units.payment) };
}

/** Returns the price of a whole token, or of its smallest unit where its decimals aren't known. */
export function priceFigure(numerator: string, denominator: string, units: Units): Figure {
  const { payment, offered = 0 } = units;
  const above = BigInt(numerator) * 10n ** BigInt(offered);
  return quotientFigure(above, BigInt(denominator) * 10n ** BigInt(payment), units, PRICE_PLACES);
}

/** Returns a price as `priceFigure`; undefined where there is none. */
export function optionalPriceFigure(
  numerator: string | undefined,
  denominator: string | undefined,
  units: Units,
): Figure | undefined {
  return numerator === undefined || denominator === undefined ? undefined : priceFigure(numerator, denominator, units);
}

/** Returns a quotient in a sale's currency. */
export function quotientFigure(numerator: bigint, denominator: bigint, units: Units, places = 2): Figure {
  const text = readableText(numerator, denominator, units.language, { places, isShort: units.isShort });
  return { text: withCurrency(text, units, units.language), exact: exactQuotient(numerator, denominator) };
}

/** Returns a quotient exactly: as a decimal where that is short, else as a reduced fraction. */
export function exactQuotient(numerator: bigint, denominator: bigint): string {
  return exactText({ numerator, denominator }, MOST_DECIMALS);
}

/** Returns a count. */
export function countFigure(
  count: number | bigint,
  { language, isShort }: Pick<Units, "language" | "isShort">,
): Figure {
  return { text: readableText(BigInt(count), 1n, language, { places: 0, isShort }), exact: String(count) };
}

/** Whether a figure's text has all its digits, so that nothing is lost where only the text is read. */
export function saysExactly({ text, exact }: Figure): boolean {
  return significantDigits(text) === significantDigits(exact);
}

function significantDigits(text: string): string {
  return text.replace(/\D/g, "").replace(/^0+|0+$/g, "");
}
