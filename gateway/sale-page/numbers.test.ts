import { expect, it } from "vitest";
import { amountFigure, countFigure, exactQuotient, priceFigure } from "../../common/sale/words/figure.ts";
import { countText, readableText } from "../../common/sale/words/number-text.ts";
import { axisTexts, compactText } from "./browser/curves.js";
import { inLanguage } from "./view/in-language.ts";

const MAX = 2n ** 256n - 1n;

it("groups digits", () => {
  expect([0n, 999n, 1_000n, 1_234_567n].map((count) => countText(count))).toStrictEqual([
    "0",
    "999",
    "1,000",
    "1,234,567",
  ]);
});

it.each([
  [0n, 1n, 2, "0"],
  [1n, 1n, 2, "1.00"],
  [999_999n, 1_000n, 2, "999.99"],
  [36_034_634n, 100n, 2, "360,346.34"],
  [5n, 4n, 4, "1.25"],
  [12_345n, 10_000n, 4, "1.2345"],
  [629n, 1_000n, 4, "0.629"],
  [1n, 3n, 4, "0.3333"],
  [1n, 2n, 4, "0.50"],
  [9n, 10n, 2, "0.90"],
  [99_999n, 100_000n, 2, "0.9999"],
  [1n, 10n, 2, "0.10"],
  [1n, 100n, 2, "0.01"],
  [12n, 10n ** 8n, 2, "0.00000012"],
  [1n, 10n ** 9n, 2, "0.000000001"],
  [629n, 10n ** 15n, 4, "6.29 × 10⁻¹³"],
  [1n, MAX, 2, "8.636 × 10⁻⁷⁸"],
  [10n ** 15n - 1n, 1n, 2, "999,999,999,999,999.00"],
  [10n ** 15n, 1n, 2, "1 × 10¹⁵"],
  [MAX, 1n, 2, "1.157 × 10⁷⁷"],
])("writes %s/%s for people, to %i places: %s", (numerator, denominator, places, text) => {
  expect(readableText(numerator, denominator, "en", places)).toBe(text);
});

/** Returns what is written in German, with ordinary spaces. */
const inGerman = (write: () => string) => inLanguage("de", write).replaceAll("\u00a0", " ");
const DOLLARS = { payment: 6, offered: 18, dollars: true, language: "de" };
const TOKENS = { payment: 18, offered: undefined, dollars: false, symbol: "TIDE", language: "de" };

it.each([
  ["360.346,34 $", () => amountFigure(360_346_340_000n, DOLLARS).text],
  ["1.000.000,00 TIDE", () => amountFigure(10n ** 24n, TOKENS).text],
  ["0,235 $", () => priceFigure("235", "1000000000000000", DOLLARS).text],
  ["8,636 × 10⁻⁷⁸", () => readableText(1n, MAX, "de")],
  ["1,157 × 10⁷⁷", () => readableText(MAX, 1n, "de")],
  ["0", () => readableText(0n, 1n, "de")],
  ["1.234.567", () => countFigure(1_234_567, "de").text],
  ["9.007.199.254.740.993", () => countText(2n ** 53n + 1n, "de")],
  ["1,235 Mio. $", () => compactText(1_234_567, DOLLARS)],
  ["2,5 × 10⁵³ $", () => compactText(2.5e53, DOLLARS)],
  ["0 $|5 × 10⁻⁹ $", () => axisTexts([0, 5e-9], true).join("|")],
  ["0 $|0,50 $|1,25 $", () => axisTexts([0, 0.5, 1.25], true).join("|")],
])("writes %s in German", (text, write) => {
  expect(inGerman(write)).toBe(text);
});

it("keeps what programs read as it is, in any language", () => {
  expect(inGerman(() => amountFigure(1_500_000n, DOLLARS).exact)).toBe("1.5");
  expect(inGerman(() => priceFigure("1", "3", DOLLARS).exact)).toBe("1000000000000/3");
});

it("writes an exact quotient as a fraction where the decimal would be long", () => {
  expect([exactQuotient(1n, 8n), exactQuotient(1n, 2n ** 255n)]).toEqual(["0.125", `1/${2n ** 255n}`]);
});
