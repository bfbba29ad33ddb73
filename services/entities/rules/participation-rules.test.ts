import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryRules } from "../testing/arbitrary-rules.ts";
import { sampleSale } from "../testing/sample-rules.ts";
import { DEFAULT_RULES, permitProblems, rulesOfText, rulesText } from "./participation-rules.ts";

const LARGEST = 9_007_199_254_740_991n;
const auction = (floorTicks: bigint) => sampleSale({ pricing: { kind: "auction", floorTicks, incrementTicks: 1n } });
const fixed = (priceTicks: bigint) => sampleSale({ pricing: { kind: "fixed", priceTicks } });

describe("permitProblems", () => {
  it.each([
    ["an auction", auction(LARGEST)],
    ["a fixed price", fixed(LARGEST)],
    ["tokens of equal decimals", sampleSale({ paymentTokenDecimals: [6, 6] })],
    ["Solana", sampleSale({ kind: "svm" })],
    ["a Continuous Clearing Auction", { ...auction(2n ** 96n), contractFamily: "cca" as const, widePrices: true }],
  ])("has none for %s", (_, sale) => {
    expect(permitProblems(sale)).toEqual([]);
  });

  it.each([
    ["a lowest price above 2^53-1", auction(LARGEST + 1n), "lowest price exceeds 2^53-1"],
    ["a fixed price above 2^53-1", fixed(LARGEST + 1n), "the price exceeds 2^53-1"],
    ["prices of 160 bits", sampleSale({ widePrices: true }), "prices can have 160 bits"],
    ["prices of 160 bits once", { ...auction(LARGEST + 1n), widePrices: true }, "prices can have 160 bits"],
    ["tokens of different decimals", sampleSale({ paymentTokenDecimals: [6, 18, 6] }), "different decimals"],
  ])("names %s", (_, sale, words) => {
    expect(permitProblems(sale)).toEqual([expect.stringContaining(words)]);
  });

  it("names all that is wrong", () => {
    const { kind, ...withoutContract } = sampleSale({ paymentTokenDecimals: [6, 18] });
    expect(kind).toBe("evm");
    expect(permitProblems(withoutContract)).toHaveLength(2);
  });
});

it("reads rules of a version that showed none as those of founders only", () => {
  const { onSalePage, ...stored } = JSON.parse(rulesText(DEFAULT_RULES));
  expect(onSalePage).toBe(false);
  expect(rulesOfText(JSON.stringify(stored))).toStrictEqual(DEFAULT_RULES);
});

it("keeps rules exactly, and absent bounds absent", () => {
  expect(rulesOfText(rulesText(DEFAULT_RULES))).toStrictEqual(DEFAULT_RULES);
  fc.assert(
    fc.property(arbitraryRules, (rules) => {
      expect(rulesOfText(rulesText(rules))).toStrictEqual(rules);
    }),
  );
});
