import { type ExactNumber, exactText, reduced } from "./exact-text.ts";
import { countText, decimalSeparator } from "./number-text.ts";

/** Returns `number × 10^exponent`. */
export function timesPowerOfTen({ numerator, denominator }: ExactNumber, exponent: number): ExactNumber {
  const power = 10n ** BigInt(Math.abs(exponent));
  return reduced(
    exponent < 0 ? { numerator, denominator: denominator * power } : { numerator: numerator * power, denominator },
  );
}

/** Returns `number ÷ step`; undefined where that isn't a whole number. `step` is above 0. */
export function wholeMultiple(number: ExactNumber, step: ExactNumber): bigint | undefined {
  const [dividend, divisor] = [number.numerator * step.denominator, number.denominator * step.numerator];
  return dividend % divisor === 0n ? dividend / divisor : undefined;
}

export function times({ numerator, denominator }: ExactNumber, factor: bigint): ExactNumber {
  return reduced({ numerator: numerator * factor, denominator });
}

export function isSame(a: ExactNumber, b: ExactNumber): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

/**
 * Returns `exactText` as a language writes numbers, such as `1,000.5` or `1.000,5`.
 *
 * @param language BCP 47 tag
 * @param mostPlaces as for `exactText`
 */
export function groupedText(number: ExactNumber, language = "en", mostPlaces?: number): string {
  return exactText(number, mostPlaces)
    .split("/")
    .map((part) => {
      const [whole = "", places] = part.split(".");
      const grouped = countText(BigInt(whole), language);
      return places === undefined ? grouped : `${grouped}${decimalSeparator(language)}${places}`;
    })
    .join("/");
}
