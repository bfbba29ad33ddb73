import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UINT256_MAX } from "../definition/uint.ts";
import { AmountNormaliser, normaliseAmount } from "./amount.ts";

const amounts = fc.bigInt({ min: 0n, max: UINT256_MAX });
const decimals = fc.integer({ min: 0, max: 36 });

describe("normaliseAmount", () => {
  it.each([
    [1_500_000n, 6, 6, 1_500_000n],
    [1_500_000n, 6, 18, 1_500_000_000_000_000_000n],
    [1_999_999_999_999n, 18, 6, 1n],
    [999_999_999_999n, 18, 6, 0n],
    [0n, 0, 24, 0n],
    [UINT256_MAX, 0, 24, UINT256_MAX * 10n ** 24n],
    [UINT256_MAX, 24, 0, 115_792_089_237_316_195_423_570_985_008_687_907_853_269_984_665_640_564n],
  ])("makes %i of %i decimals, at %i decimals, to %i", (amount, own, normalised, expected) => {
    expect(normaliseAmount(amount, own, normalised)).toBe(expected);
  });

  it("is the floor of the exact quotient", () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, (amount, own, normalised) => {
        const result = normaliseAmount(amount, own, normalised);
        const [numerator, denominator] = [amount * 10n ** BigInt(normalised), 10n ** BigInt(own)];
        expect(result * denominator <= numerator && numerator < (result + 1n) * denominator).toBe(true);
      }),
    );
  });

  it("loses nothing on the way to more decimals and back", () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, (amount, a, b) => {
        const [fewer, more] = [Math.min(a, b), Math.max(a, b)];
        expect(normaliseAmount(normaliseAmount(amount, fewer, more), more, fewer)).toBe(amount);
      }),
    );
  });
});

describe("AmountNormaliser", () => {
  const token = (address: string, decimals: number) => ({ address, decimals, usdStablecoin: true });
  const normaliser = new AmountNormaliser({
    paymentTokens: [token("0xa", 6), token("0xb", 18)],
    paymentTokenDecimals: 8,
  });

  it("uses each token's own decimals", () => {
    expect(normaliser.normalise("0xa", 3n)).toBe(300n);
    expect(normaliser.normalise("0xb", 39_999_999_999n)).toBe(3n);
  });

  it("refuses a token that isn't the sale's", () => {
    expect(() => normaliser.normalise("0xc", 1n)).toThrow(RangeError);
    expect(() => normaliser.sum([{ wallet: "0x1", token: "0xc", amount: 1n }])).toThrow(RangeError);
  });

  it("adds nothing for a zero of any token", () => {
    expect(normaliser.sum([{ wallet: "0x1", token: "0xc", amount: 0n }])).toBe(0n);
  });

  it("cuts each amount by itself before adding", () => {
    const half = { wallet: "0x1", token: "0xb", amount: 5_000_000_000n };
    expect(normaliser.sum([half, half])).toBe(0n);
    expect(normaliser.sum([half, { ...half, amount: 29_999_999_999n }, { ...half, token: "0xa", amount: 1n }])).toBe(
      102n,
    );
    expect(normaliser.sum([])).toBe(0n);
  });
});
