/** An exact quotient; the denominator is at least 1. */
export interface ExactNumber {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Returns the number in lowest terms. */
export function reduced({ numerator, denominator }: ExactNumber): ExactNumber {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Returns a number of smallest units as an exact decimal. @param units not negative */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Returns text that `readExactNumber` reads back: a decimal where there is an exact one, else a fraction.
 *
 * @param mostPlaces most decimal places; a number that needs more is written as a fraction
 */
export function exactText(number: ExactNumber, mostPlaces = Number.POSITIVE_INFINITY): string {
  const { numerator, denominator } = reduced(number);
  const places = decimalPlaces(denominator);
  if (places === undefined || places > mostPlaces) return `${numerator}/${denominator}`;
  return decimalText((numerator * 10n ** BigInt(places)) / denominator, places);
}

/** Returns the number of decimal places of 1/denominator; undefined where they never end. */
function decimalPlaces(denominator: bigint): number | undefined {
  let [rest, twos, fives] = [denominator, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}
