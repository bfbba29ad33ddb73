import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { checkDefinitionChange, isReadAlike, isStatedAlike } from "./definition-change.ts";

const token = { address: "0xa", decimals: 6, usdStablecoin: true };
const other = { address: "0xb", decimals: 18, usdStablecoin: false };
const before: SaleDefinition = {
  name: "Tidemark",
  paymentTokens: [token, other],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: 1n, denominator: 1n },
  pricing: { kind: "auction", offeredAmount: 1n, floorTicks: 1n, incrementTicks: 1n },
  source: { kind: "evm", chain: "ethereum", contract: "0xc" },
  extraDataParameters: "",
  cancelledKeepsAmounts: false,
};
const { source: _, ...unsourced } = before;
const outbidding: SaleDefinition = {
  ...before,
  pricing: {
    kind: "auction",
    offeredAmount: 1n,
    floorTicks: 1n,
    incrementTicks: 1n,
    clearingRule: "lowest_not_outbid",
  },
};
const otherTick = { priceTick: { numerator: 1n, denominator: 2n } };

function fieldsOf(after: SaleDefinition, from = before, settleCount = 0n): string[] {
  try {
    checkDefinitionChange(from, after, { settleCount });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_argument") throw error;
    return error.violations.map(({ field }) => field);
  }
}

const frozen: [string, SaleDefinition, string][] = [
  ["the kind of pricing", { ...before, pricing: { kind: "fixed", priceTicks: 1n } }, "definition.fixed"],
  [
    "a token's decimals",
    { ...before, paymentTokens: [token, { ...other, decimals: 6 }] },
    "definition.payment_tokens[1].decimals",
  ],
  [
    "whether a token is a stablecoin",
    { ...before, paymentTokens: [other, { ...token, usdStablecoin: false }] },
    "definition.payment_tokens[1].usd_stablecoin",
  ],
  ["that a token is there", { ...before, paymentTokens: [token] }, "definition.payment_tokens"],
  ["the width of prices", { ...before, widePrices: true }, "definition.wide_prices"],
  ["the rule of an auction", outbidding, "definition.auction.clearing_rule"],
  ["the decimals of amounts", { ...before, paymentTokenDecimals: 8 }, "definition.payment_token_decimals"],
  ["the contract", { ...before, source: { kind: "evm", chain: "ethereum", contract: "0xd" } }, "definition.evm"],
  [
    "how the contract is read",
    { ...before, source: { kind: "evm", chain: "ethereum", contract: "0xc", family: "cca" } },
    "definition.evm",
  ],
  ["the chain", { ...before, source: { kind: "evm", chain: "base", contract: "0xc" } }, "definition.evm"],
  [
    "the kind of source",
    { ...before, source: { kind: "svm", chain: "ethereum", saleAccount: "0xc" } },
    "definition.svm",
  ],
  ["that there is a source", unsourced, "definition.evm"],
];

describe("checkDefinitionChange", () => {
  it.each(frozen)("%s is frozen", (_, after, field) => {
    expect(fieldsOf(after)).toEqual([field]);
  });

  it.each<[string, SaleDefinition]>([
    ["nothing", before],
    ["the name", { ...before, name: "Other" }],
    ["a token added", { ...before, paymentTokens: [{ ...token, address: "0xe" }, other, token] }],
    ["the price tick", { ...before, priceTick: { numerator: 2n, denominator: 3n } }],
    [
      "the numbers of the auction",
      { ...before, pricing: { kind: "auction", offeredAmount: 2n, floorTicks: 2n, incrementTicks: 2n } },
    ],
    ["the offered decimals", { ...before, offeredTokenDecimals: 9 }],
    ["the extra data", { ...before, extraDataParameters: "uint64 tier" }],
    [
      "the version of the contract",
      { ...before, source: { kind: "evm", chain: "ethereum", contract: "0xc", contractVersion: 1 } },
    ],
  ])("may change: %s", (_, after) => {
    expect(fieldsOf(after)).toEqual([]);
  });
});

it("what a cancellation leaves is frozen once the sale was settled, even if it is open again", () => {
  const after = { ...before, cancelledKeepsAmounts: true };
  expect(fieldsOf(after)).toEqual([]);
  expect(fieldsOf(after, before, 1n)).toEqual(["definition.cancelled_keeps_amounts"]);
});

it("no source can be added to an open sale", () => {
  expect(fieldsOf(before, unsourced)).toEqual(["definition.evm"]);
  expect(fieldsOf(unsourced, unsourced)).toEqual([]);
});

it("every frozen field that changes is named", () => {
  const after = { ...unsourced, paymentTokens: [], paymentTokenDecimals: 7, cancelledKeepsAmounts: true };
  expect(fieldsOf(after, before, 1n)).toHaveLength(5);
});

it("the price tick is frozen where demand is counted in it, and only there", () => {
  expect(fieldsOf({ ...outbidding, ...otherTick }, outbidding)).toEqual(["definition.price_tick"]);
  expect(fieldsOf({ ...before, ...otherTick })).toEqual([]);
  expect(isReadAlike(outbidding, { ...outbidding, ...otherTick })).toBe(false);
  expect(isReadAlike(outbidding, { ...outbidding, name: "Other" })).toBe(true);
});

describe("what the contract of an auction states", () => {
  const source = { kind: "evm", chain: "ethereum", contract: "0xc", family: "cca" } as const;
  const stated = { ...outbidding, source };
  const priced = (change: object) => ({ ...stated, pricing: { ...stated.pricing, ...change } });

  it.each([
    ["the offer", priced({ offeredAmount: 2n }), "definition.auction.offered_amount"],
    ["the lowest price", priced({ floorTicks: 2n }), "definition.auction.floor_ticks"],
    ["the increment", priced({ incrementTicks: 2n }), "definition.auction.increment_ticks"],
  ])("is frozen: %s", (_, after, field) => {
    expect(fieldsOf(after, stated)).toEqual([field]);
    expect(isStatedAlike(stated, after)).toBe(false);
  });

  it("is checked again where the decimals of its token change", () => {
    const after = { ...stated, offeredTokenDecimals: 9 };
    expect(fieldsOf(after, stated)).toEqual([]);
    expect(isStatedAlike(stated, after)).toBe(false);
    expect(isStatedAlike(stated, { ...stated, name: "Other" })).toBe(true);
  });

  it("isn't stated by other contracts", () => {
    expect(isStatedAlike(before, { ...before, offeredTokenDecimals: 9 })).toBe(true);
    expect(
      fieldsOf({ ...outbidding, pricing: { ...outbidding.pricing, floorTicks: 2n } } as SaleDefinition, outbidding),
    ).toEqual([]);
  });
});

describe("isReadAlike", () => {
  it.each([
    ["the name", { ...before, name: "Other" }],
    ["the order of the tokens", { ...before, paymentTokens: [other, token] }],
    ["a symbol", { ...before, paymentTokens: [{ ...token, symbol: "USDX" }, other] }],
    ["the price tick", { ...before, priceTick: { numerator: 2n, denominator: 3n } }],
  ])("doesn't depend on %s", (_, after) => {
    expect(isReadAlike(before, after)).toBe(true);
  });

  it.each([
    ["the contract", { ...before, source: { kind: "evm" as const, chain: "ethereum", contract: "0xd" } }],
    ["the chain", { ...before, source: { kind: "evm" as const, chain: "base", contract: "0xc" } }],
    ["whether there is a source", unsourced],
    ["a token's decimals", { ...before, paymentTokens: [token, { ...other, decimals: 6 }] }],
    ["a token added", { ...before, paymentTokens: [...before.paymentTokens, { ...token, address: "0xe" }] }],
    ["the width of prices", { ...before, widePrices: true as const }],
    ["the rule of an auction", outbidding],
    ["the decimals of amounts", { ...before, paymentTokenDecimals: 8 }],
    ["what a cancellation leaves", { ...before, cancelledKeepsAmounts: true }],
  ])("depends on %s", (_, after) => {
    expect(isReadAlike(before, after)).toBe(false);
  });
});
