import { type ExactNumber, reduced } from "./exact-text.ts";

/** Reason why an entry can't be read as a number. */
export interface NotANumber {
  readonly reason: string;
}

const MAX_CHARACTERS = 200;
/** Currency sign before a number, and text after it such as "USDC per token". */
const ENTERED = /^[$€£]?\s*([^\p{L}]*[^\p{L}\s])(?:\s+\p{L}[\p{L}\p{N}\s/().-]*)?$/u;
const GROUPED = /^[1-9]\d{0,2}(?:([,_'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
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

function decimal(text: string): ExactNumber {
  const [whole = "", places = ""] = text.split(".");
  return reduced({ numerator: BigInt(`${whole}${places}`), denominator: 10n ** BigInt(places.length) });
}
