import { ADDRESSES } from "../../chains/addresses.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import type { Fraction } from "../../sale/definition/fraction.ts";

/** More digits than any number of a public read has: a price is a product of three uint256. */
const DIGITS = /^(?:0|[1-9]\d{0,239})$/;
/** The most decimals that a sale may have. */
const MAX_DECIMALS = 36;

/*
 * Whoever is checked may answer anything, so each value is bounded before it is computed with.
 */

/** @throws TypeError for anything but the digits of a whole number */
export function wholeNumber(name: string, digits: unknown): bigint {
  if (typeof digits !== "string" || !DIGITS.test(digits)) throw new TypeError(`${name} is no whole number`);
  return BigInt(digits);
}

/** @throws TypeError for anything but the digits of a whole number above 0 */
export function positiveNumber(name: string, digits: unknown): bigint {
  const number = wholeNumber(name, digits);
  if (number < 1n) throw new TypeError(`${name} is 0`);
  return number;
}

/** Reads the fraction of a price. @throws TypeError for a part that is no whole number, and for a denominator of 0 */
export function fractionOf(numerator: unknown, denominator: unknown): Fraction {
  return {
    numerator: wholeNumber("the numerator of a price", numerator),
    denominator: positiveNumber("the denominator of a price", denominator),
  };
}

/** @throws TypeError for anything but an integer from 0 to 36 */
export function decimalsOf(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_DECIMALS) return value;
  throw new TypeError(`${name} isn't a number of decimals`);
}

/** @throws TypeError for anything but an integer from 0 to 2^53-1 */
export function integerOf(name: string, value: unknown): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new TypeError(`${name} is no whole number`);
}

/** @throws TypeError for anything but an address in its canonical form */
export function addressOf(name: string, value: unknown, family: ChainFamily): string {
  const isAddress = typeof value === "string" && ADDRESSES[family].canonical(value) === value;
  if (!isAddress) throw new TypeError(`${name} is no address`);
  return value;
}

/** The digits after `0x`. @throws TypeError for anything but `0x` and lower-case hex of whole bytes */
export function hexOf(text: unknown): string {
  if (typeof text !== "string" || !/^0x(?:[0-9a-f]{2})*$/.test(text)) throw new TypeError("a value isn't 0x and hex");
  return text.slice(2);
}
