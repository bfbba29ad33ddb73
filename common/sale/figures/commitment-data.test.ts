import { describe, expect, it } from "vitest";
import { auctionDefinition, idOf, recordOf, TOKEN, WALLET } from "../../../services/commitments/testing/samples.ts";
import type { SaleDefinition } from "../definition/sale.ts";
import { presentClearing, presentCommitmentData } from "./commitment-data.ts";

const OTHER_TOKEN = `0x${"ab".repeat(20)}`;
const snapshot = { latest: [recordOf(1)], total: 5_000_000n, count: 1n, clearingTick: 250n };
const noExtraData = () => ({});
const fixed: SaleDefinition = { ...auctionDefinition, pricing: { kind: "fixed", priceTicks: 25n } };
const twoTokens: SaleDefinition = {
  ...auctionDefinition,
  paymentTokens: [...auctionDefinition.paymentTokens, { address: OTHER_TOKEN, decimals: 18, usdStablecoin: true }],
};

const firstOf = (definition: SaleDefinition, record = recordOf(1)) =>
  presentCommitmentData(definition, { ...snapshot, latest: [record] }, noExtraData).commitments[0];

describe("presentCommitmentData", () => {
  it("shows an auction with prices, totals and the clearing price", () => {
    expect(presentCommitmentData(auctionDefinition, snapshot, noExtraData)).toEqual({
      commitments: [
        {
          commitmentId: idOf(1),
          entityId: idOf(1).slice(32),
          price: { numerator: 100n, denominator: 10n ** 15n },
          microUsd: 100_000n,
          amounts: [{ wallet: WALLET, token: TOKEN, amount: 5_000_000n }],
          createdAtSeconds: 1_769_860_800n,
          extraData: new Uint8Array(0),
          extraDataParsed: {},
        },
      ],
      total: 5_000_000n,
      count: 1n,
      paymentTokenDecimals: 6,
      offeredTokenDecimals: 18,
      clearing: { price: { numerator: 250n, denominator: 10n ** 15n }, microUsd: 250_000n },
    });
  });

  it("gives no clearing price if there is none", () => {
    const { clearingTick: _, ...draft } = snapshot;
    expect(presentCommitmentData(fixed, draft, noExtraData)).not.toHaveProperty("clearing");
  });

  it("shows the sale's own price for price 0 in a fixed-price sale", () => {
    expect(firstOf(fixed, recordOf(1, { priceTicks: 0n }))?.price.numerator).toBe(25n);
    expect(firstOf(auctionDefinition, recordOf(1, { priceTicks: 0n }))?.price.numerator).toBe(0n);
  });

  it("gives micro-USD only if all tokens are dollars and the offered decimals are known", () => {
    const [token] = auctionDefinition.paymentTokens;
    const noDollar = { address: OTHER_TOKEN, decimals: 6, usdStablecoin: false };
    const mixed = { ...auctionDefinition, paymentTokens: [...(token === undefined ? [] : [token]), noDollar] };
    const { offeredTokenDecimals: _, ...unknownOffer } = auctionDefinition;
    for (const definition of [mixed, unknownOffer]) {
      expect(firstOf(definition)).not.toHaveProperty("microUsd");
      expect(presentClearing(definition, snapshot).clearing).not.toHaveProperty("microUsd");
    }
    expect(presentCommitmentData(unknownOffer, snapshot, noExtraData)).not.toHaveProperty("offeredTokenDecimals");
  });

  it("normalises each amount, leaves raw zeros out and keeps dust as 0", () => {
    const amounts = [
      { wallet: WALLET, token: TOKEN, amount: 3n },
      { wallet: WALLET, token: TOKEN, amount: 0n },
      { wallet: WALLET, token: OTHER_TOKEN, amount: 10n ** 12n * 2n - 1n },
      { wallet: WALLET, token: OTHER_TOKEN, amount: 10n ** 12n - 1n },
    ];
    expect(firstOf(twoTokens, recordOf(1, { amounts }))?.amounts).toEqual([
      { wallet: WALLET, token: TOKEN, amount: 3n },
      { wallet: WALLET, token: OTHER_TOKEN, amount: 1n },
      { wallet: WALLET, token: OTHER_TOKEN, amount: 0n },
    ]);
  });

  it("parses the extra data of each commitment", () => {
    const latest = [recordOf(1, { extraData: Uint8Array.of(1, 2) }), recordOf(2)];
    const lengths = (data: Uint8Array) => ({ length: String(data.length) });
    const { commitments } = presentCommitmentData(auctionDefinition, { ...snapshot, latest }, lengths);
    expect(commitments.map(({ extraDataParsed }) => extraDataParsed)).toEqual([{ length: "2" }, { length: "0" }]);
    expect(commitments[0]?.extraData).toEqual(Uint8Array.of(1, 2));
  });
});
