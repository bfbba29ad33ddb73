import "../testing/english-words.ts";
import { afterEach, expect, it } from "vitest";
import { TEXTS } from "../web/texts/texts.ts";
import { readNumber } from "./browser/number-entry.js";
import { swapWords } from "./browser/words.js";

const english = swapWords(undefined);
swapWords(english);
afterEach(() => void swapWords(english));

it.each([
  ["0.25", 25n, 100n],
  ["$1,000,000.5", 10_000_005n, 10n],
  ["1 000", 1_000n, 1n],
  [".5", 5n, 10n],
  ["0,25", 25n, 100n],
  ["1,000", 1_000n, 1n],
  ["12 USDC", 12n, 1n],
])("reads %j in English", (text, numerator, denominator) => {
  expect(readNumber(text)).toEqual({ numerator, denominator });
});

it.each([
  ["0,25", 25n, 100n],
  ["1.000.000,5", 10_000_005n, 10n],
  ["1.000", 1_000n, 1n],
  ["0.25", 25n, 100n],
  ["12,50 €", 1_250n, 100n],
])("reads %j in German", (text, numerator, denominator) => {
  swapWords({ language: "de", texts: TEXTS.de.sale });
  expect(readNumber(text)).toEqual({ numerator, denominator });
});

it.each(["", "0", "0.00", "-1", "1.2.3", "1,00,000", "a", "1e5", "9".repeat(61)])("doesn't read %j", (text) => {
  expect(readNumber(text)).toBeUndefined();
});
