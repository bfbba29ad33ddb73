import { expect, it } from "vitest";
import { decimalText } from "../../common/sale/words/exact-text.ts";
import { amountFigure, countFigure, exactQuotient, priceFigure } from "../../common/sale/words/figure.ts";
import { countText, readableText } from "../../common/sale/words/number-text.ts";
import { axisTexts, drawnText } from "./browser/curves.js";
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
  [10n ** 9n - 1n, 1n, 2, "999,999,999.00"],
  [10n ** 9n, 1n, 2, "1B"],
  [1_249_999_999_999n, 1_000n, 2, "1.249B"],
  [999_999_999_999n, 1n, 2, "999.9B"],
  [10n ** 12n, 1n, 2, "1T"],
  [1_234_567n * 10n ** 9n, 1n, 2, "1,234T"],
  [10n ** 18n - 1n, 1n, 2, "999,999T"],
  [10n ** 18n, 1n, 2, "1 × 10¹⁸"],
  [MAX, 1n, 2, "1.157 × 10⁷⁷"],
])("writes %s/%s for people, to %i places: %s", (numerator, denominator, places, text) => {
  expect(readableText(numerator, denominator, "en", { places }).replaceAll("\u00a0", " ")).toBe(text);
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
  ["1.234.567", () => countFigure(1_234_567, { language: "de" }).text],
  ["9.007.199.254.740.993", () => countText(2n ** 53n + 1n, "de")],
  ["1,234 Mio. $", () => drawnText(1_234_567, DOLLARS)],
  ["2,5 × 10⁵³ $", () => drawnText(2.5e53, DOLLARS)],
  ["0 $|0,000000005 $", () => axisTexts([0, 5e-9], true).join("|")],
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

const EXTREMES = [1n, 999n, 10n ** 6n - 1n, 10n ** 9n, 10n ** 18n - 1n, 10n ** 18n, 10n ** 36n + 1n, MAX];

it.each(["en", "de"])("writes any amount in so few characters that it fits, short ones in fewer, in %s", (language) => {
  for (const amount of EXTREMES) {
    for (let payment = 0; payment <= 36; payment++) {
      const units = { payment, offered: 18, dollars: true, language };
      const [long, short] = [amountFigure(amount, units), amountFigure(amount, { ...units, isShort: true })];
      expect(long.text.length, long.text).toBeLessThanOrEqual(16);
      expect(short.text.length, short.text).toBeLessThanOrEqual(16);
      expect(short.text).toMatch(/\d/);
      expect([long.exact, short.exact]).toEqual([decimalText(amount, payment), decimalText(amount, payment)]);
    }
  }
});
