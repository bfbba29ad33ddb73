import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pricing } from "../definition/sale.ts";
import { UINT64_MAX, UINT256_MAX } from "../definition/uint.ts";
import { commitmentPrice, microUsd, priceOfTicks, quotesMicroUsd } from "./price.ts";

const priceTick = { numerator: 6n, denominator: 4n };
const fixed: Pricing = { kind: "fixed", priceTicks: 10n };
const auction: Pricing = { kind: "auction", offeredAmount: 1n, floorTicks: 3n, incrementTicks: 1n };

describe("the price of a commitment", () => {
  it.each<[string, Pricing, bigint, bigint]>([
    ["its ticks in an auction", auction, 5n, 30n],
    ["0 for 0 ticks in an auction", auction, 0n, 0n],
    ["the sale's for 0 ticks in a fixed-price sale", fixed, 0n, 60n],
    ["its own ticks in a fixed-price sale", fixed, 5n, 30n],
  ])("is %s", (_, pricing, ticks, numerator) => {
    expect(commitmentPrice(ticks, { pricing, priceTick })).toEqual({ numerator, denominator: 4n });
  });

  it("is exact for the largest ticks and fractions", () => {
    const largest = { numerator: UINT256_MAX, denominator: UINT256_MAX };
    expect(priceOfTicks(UINT64_MAX, largest)).toEqual({
      numerator: UINT64_MAX * UINT256_MAX,
      denominator: UINT256_MAX,
    });
  });
});

describe("microUsd", () => {
  it.each([
    ["1 USD for a token: 6 payment decimals, 18 offered", 1n, 10n ** 12n, 6, 18, 1_000_000n],
    ["1.5 USD, unreduced", 3_000_000n, 2n * 10n ** 18n, 6, 18, 1_500_000n],
    ["a third of a dollar, cut off", 10n ** 18n, 3n * 10n ** 18n, 18, 18, 333_333n],
    ["less than a micro-USD", 1n, 10n ** 19n, 6, 18, 0n],
    ["no offered decimals", 5n, 1n, 6, 0, 5n],
    ["36 and 0 decimals", 10n ** 36n, 1n, 36, 0, 1_000_000n],
  ])("gives %s", (_, numerator, denominator, paymentDecimals, offeredDecimals, expected) => {
    expect(microUsd({ numerator, denominator }, paymentDecimals, offeredDecimals)).toBe(expected);
  });

  it("is the same for a reduced and an unreduced fraction", () => {
    const part = fc.bigInt({ min: 1n, max: UINT256_MAX });
    const decimals = fc.integer({ min: 0, max: 36 });
    fc.assert(
      fc.property(part, part, part, decimals, decimals, (numerator, denominator, factor, payment, offered) => {
        const unreduced = { numerator: numerator * factor, denominator: denominator * factor };
        expect(microUsd(unreduced, payment, offered)).toBe(microUsd({ numerator, denominator }, payment, offered));
      }),
    );
  });
});

describe("quotesMicroUsd", () => {
  const usd = { address: "0xa", decimals: 6, usdStablecoin: true };
  const other = { address: "0xb", decimals: 18, usdStablecoin: false };

  it("wants the offered decimals, be they 0", () => {
    expect(quotesMicroUsd({ paymentTokens: [usd], offeredTokenDecimals: 0 })).toBe(true);
    expect(quotesMicroUsd({ paymentTokens: [usd] })).toBe(false);
  });

  it("wants every payment token to be a USD stablecoin", () => {
    expect(quotesMicroUsd({ paymentTokens: [usd, usd], offeredTokenDecimals: 18 })).toBe(true);
    expect(quotesMicroUsd({ paymentTokens: [usd, other], offeredTokenDecimals: 18 })).toBe(false);
  });
});
