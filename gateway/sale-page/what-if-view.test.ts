import "../testing/english-words.ts";
import { describe, expect, it } from "vitest";
import type { ForecastSale } from "./browser/forecast-view.js";
import { whatIfView } from "./browser/what-if-view.js";

const whole = (numerator: bigint, denominator = 1n) => ({ numerator, denominator });
const HIGHEST = 2n ** 64n - 1n;
/** An offer of 26 tokens from 5 dollars up, in steps of 5: prices in whole dollars, no decimals. */
const SALE: ForecastSale = {
  facts: {
    ...{ OfferedToken: { Amount: "26", Symbol: "HRBR", Decimals: 0 }, FloorNumerator: "5", FloorDenominator: "1" },
    ...{ IncrementNumerator: "5", IncrementDenominator: "1", PriceTickNumerator: "1", PriceTickDenominator: "1" },
  },
  units: { payment: 0, offered: 0, dollars: true, language: "en" },
  levels: [
    {
      ...{ LowestPriceNumerator: "7", LowestPriceDenominator: "1", Amount: "130" },
      ...{ HighestPriceNumerator: "7", HighestPriceDenominator: "1" },
    },
  ],
} as unknown as ForecastSale;

describe("what would come of a bid, in words", () => {
  it("has no more tokens than are offered", () => {
    const view = whatIfView({ price: whole(40n), amount: whole(183n) }, SALE);
    expect(view).toMatchObject({ outcomes: [{ label: "Tokens now", figure: { text: "15 HRBR to 26 HRBR" } }, {}, {}] });
  });

  it("refuses a price above the highest that a contract takes, which it says", () => {
    const refusal = expect.stringMatching(
      /^A bid can’t have so high a price. The contract takes \$1.844\s×\s10¹⁹ at most.$/,
    );
    expect(whatIfView({ price: whole(HIGHEST + 1n), amount: whole(3n) }, SALE)).toEqual({ refusal });
    expect(whatIfView({ price: whole(2n ** 70n), amount: whole(3n) }, SALE)).toEqual({ refusal });
    expect(whatIfView({ price: whole(HIGHEST), amount: whole(300_000n) }, SALE)).toMatchObject({ badge: "In" });
  });

  it("refuses an amount that is less than the smallest unit", () => {
    const refusal = "So small an amount can’t be paid.";
    expect(whatIfView({ price: whole(40n), amount: whole(1n, 2n) }, SALE)).toEqual({ refusal });
  });

  it("isn't said where the demand isn't known", () => {
    expect(whatIfView({ price: whole(40n), amount: whole(3n) }, { ...SALE, levels: undefined })).toBeUndefined();
  });
});
