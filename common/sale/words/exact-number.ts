/** An exact quotient; the denominator is at least 1. */
export interface ExactNumber {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Reason why an entry can't be read as a number. */
export interface NotANumber {
  readonly reason: string;
}

const MAX_CHARACTERS = 200;
/** Currency sign before a number, and text after it such as "USDC per token". */
const ENTERED = /^[$€£]?\s*([^\p{L}]*[^\p{L}\s])(?:\s+\p{L}[\p{L}\p{N}\s/().-]*)?$/u;
const GROUPED = /^(?:0|[1-9]\d{0,2})(?:([,_'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
const FRACTION = /^(\d+)\s*\/\s*(\d+)$/;
const COMMA = /^\d+,\d+$/;

const EXAMPLE = "Write a number such as 0.25, 1,000,000 or 1/3";

/**
 * Reads a number exactly: `0.25`, `1,000,000.5`, `$0.25`, `1/3`, `0.25 USDC per token`. Never negative.
 *
 * @returns the number, or the reason why it can't be read
 */
export function readExactNumber(text: string): ExactNumber | NotANumber {
  const trimmed = text.trim();
  if (trimmed === "") return { reason: "Enter a number" };
  if (trimmed.length > MAX_CHARACTERS) return { reason: `Write at most ${MAX_CHARACTERS} characters` };
  if (/^[-−]/.test(trimmed)) return { reason: "It can’t be negative" };
  const number = ENTERED.exec(trimmed)?.[1]?.trim() ?? "";
  const [, numerator, denominator] = FRACTION.exec(number) ?? [];
  if (numerator !== undefined && denominator !== undefined) {
    return /^0+$/.test(denominator)
      ? { reason: "The number after / can’t be 0" }
      : reduced({ numerator: BigInt(numerator), denominator: BigInt(denominator) });
  }
  if (GROUPED.test(number)) return decimal(number.replace(/[,_'’ \u00a0\u202f]/g, ""));
  if (PLAIN.test(number)) return decimal(number);
  if (COMMA.test(number)) return { reason: `Write ${number.replace(",", ".")} with a point if that is meant` };
  return { reason: EXAMPLE };
}

export function isNumber(read: ExactNumber | NotANumber): read is ExactNumber {
  return "numerator" in read;
}

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

/** Returns the number in lowest terms. */
export function reduced({ numerator, denominator }: ExactNumber): ExactNumber {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Returns text that `readExactNumber` reads back: a decimal where there is an exact one, else a fraction. */
export function exactText(number: ExactNumber): string {
  const { numerator, denominator } = reduced(number);
  const places = decimalPlaces(denominator);
  if (places === undefined) return `${numerator}/${denominator}`;
  const digits = ((numerator * 10n ** BigInt(places)) / denominator).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
}

/** Returns `exactText` with commas between thousands. */
export function groupedText(number: ExactNumber): string {
  return exactText(number)
    .split("/")
    .map((part) => {
      const [whole = "", places] = part.split(".");
      const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
      return places === undefined ? grouped : `${grouped}.${places}`;
    })
    .join("/");
}

function decimal(text: string): ExactNumber {
  const [whole = "", places = ""] = text.split(".");
  return reduced({ numerator: BigInt(`${whole}${places}`), denominator: 10n ** BigInt(places.length) });
}

/** Returns the number of decimal places of 1/denominator; undefined where they never end. */
function decimalPlaces(denominator: bigint): number | undefined {
  let [rest, twos, fives] = [denominator, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
