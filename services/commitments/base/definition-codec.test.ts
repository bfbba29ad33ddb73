import { describe, expect, it } from "vitest";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { UINT64_MAX, UINT256_MAX } from "../../../common/sale/definition/uint.ts";
import { auctionDefinition, evmSource } from "../testing/samples.ts";
import { decodeDefinition, encodeDefinition } from "./definition-codec.ts";

const { offeredTokenDecimals: _, ...withoutOffer } = auctionDefinition;

describe("a stored definition", () => {
  it.each<[string, SaleDefinition]>([
    ["an auction", auctionDefinition],
    ["a fixed price", { ...auctionDefinition, pricing: { kind: "fixed", priceTicks: 25n } }],
    [
      "an amount for sale at a fixed price",
      { ...auctionDefinition, pricing: { kind: "fixed", priceTicks: 25n, offeredAmount: UINT256_MAX } },
    ],
    ["a total supply", { ...auctionDefinition, presentation: { totalSupply: UINT256_MAX, opensAtSeconds: 1 } }],
    [
      "the largest numbers",
      {
        ...auctionDefinition,
        priceTick: { numerator: UINT256_MAX, denominator: UINT256_MAX },
        pricing: {
          kind: "auction",
          offeredAmount: UINT256_MAX,
          floorTicks: UINT64_MAX,
          incrementTicks: UINT64_MAX,
        },
      },
    ],
    [
      "the rule of an auction",
      {
        ...auctionDefinition,
        pricing: {
          kind: "auction",
          offeredAmount: 1n,
          floorTicks: 0n,
          incrementTicks: 1n,
          clearingRule: "lowest_not_outbid",
        },
      },
    ],
    ["an EVM source", { ...auctionDefinition, source: evmSource }],
    ["an SVM source", { ...auctionDefinition, source: { kind: "svm", chain: "solana", saleAccount: "1".repeat(32) } }],
    ["no offered decimals", withoutOffer],
    ["a name of any script", { ...auctionDefinition, name: 'Tide "mark" – 潮位 🌊' }],
    [
      "flags and parameters",
      { ...auctionDefinition, cancelledKeepsAmounts: true, extraDataParameters: "uint64 tier, address referrer" },
    ],
  ])("is what was stored: %s", (_, definition) => {
    expect(decodeDefinition(encodeDefinition(definition))).toStrictEqual(definition);
  });

  it("is the same text after another round, so that a repeated creation is recognised", () => {
    const text = encodeDefinition({ ...auctionDefinition, source: evmSource });
    expect(encodeDefinition(decodeDefinition(text))).toBe(text);
  });
});
