import fc from "fast-check";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../platform/language/language.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import { isNumber, readExactNumber } from "./read-number.ts";
import { amountEntry, amountText, priceEntry, priceText, type SaleUnits } from "./sale-units.ts";

const unitsIn = (language: string, change: Partial<SaleUnits> = {}): SaleUnits => ({
  decimals: 6,
  money: "USDC",
  per: "per token",
  tick: { numerator: 1n, denominator: 1_000n },
  isAuction: true,
  language,
  ...change,
});

it("shows amounts and prices as the language writes numbers", () => {
  const german = unitsIn("de", { per: "je Token" });
  expect(amountText(unitsIn("en"), 1_234_567_500_000n)).toBe("1,234,567.5 USDC");
  expect(amountText(german, 1_234_567_500_000n)).toBe("1.234.567,5 USDC");
  expect(priceText(german, 1_250n)).toBe("1,25 USDC je Token");
  expect(priceText(unitsIn("de", { tick: { numerator: 1n, denominator: 3n } }), 4n)).toBe("4/3 USDC per token");
});

it("enters amounts and prices as the language writes decimals, and so that no reader takes a comma for another", () => {
  expect(amountEntry(unitsIn("en"), 5_000_125_000n)).toBe("5,000.125");
  expect(amountEntry(unitsIn("de"), 5_000_125_000n)).toBe("5\u202f000,125");
  expect(priceEntry(unitsIn("de"), 1_125n)).toBe("1,1250");
});

it.each(LANGUAGES)("enters in %s what is read back, and as no other number in another language", (language) => {
  const units = unitsIn(language);
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), (amount) => {
      // Another language may refuse the entry, but never reads another number.
      const own = readExactNumber(amountEntry(units, amount), NUMBER_WORDS, language);
      const others = LANGUAGES.map((other) => readExactNumber(amountEntry(units, amount), NUMBER_WORDS, other));
      expect(own).toEqual(readExactNumber(amountEntry(unitsIn("en"), amount), NUMBER_WORDS, "en"));
      expect(
        others.filter(isNumber).every((number) => number.numerator * 1_000_000n === amount * number.denominator),
      ).toBe(true);
    }),
  );
});
