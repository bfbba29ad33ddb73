import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offerState } from "./offer-state.ts";

const OFFER = { OfferedToken: { Amount: "1000" } };
/** At a floor of 1/10 the offer costs 100. */
const FLOOR = { ClearingPriceNumerator: "1", ClearingPriceDenominator: "10" };

describe("the price at which a sale sells", () => {
  it.each([
    ["is the floor while nothing is bid", "0", undefined, "floor"],
    ["is the floor while less is bid than the offer costs there", "99", undefined, "floor"],
    ["is a clearing price once just that is bid", "100", undefined, "clearing"],
    ["stays the floor while part of it is bid below the floor", "500", "401", "floor"],
    ["is a clearing price once enough is bid at the floor or more", "500", "400", "clearing"],
  ] as const)("%s", (_, TotalCommitmentAmount, below, kind) => {
    const figures = { TotalCommitmentAmount, ...FLOOR, ...(below && { BelowFloorAmount: below }) };
    expect(offerState(OFFER, figures).price).toEqual({ kind, numerator: 1n, denominator: 10n });
  });

  it("is a clearing price above the floor, also where less is bid than the offer costs there", () => {
    const offer = { ...OFFER, FloorNumerator: "1", FloorDenominator: "10" };
    const figures = { TotalCommitmentAmount: "99", ...FLOOR };
    expect(offerState(offer, figures).price?.kind).toBe("floor");
    expect(
      offerState(offer, { ...figures, ClearingPriceNumerator: "2", ClearingPriceDenominator: "20" }).price?.kind,
    ).toBe("floor");
    expect(offerState(offer, { ...figures, ClearingPriceNumerator: "2" }).price?.kind).toBe("clearing");
  });

  it("is called a clearing price where the offer isn't known, or costs nothing", () => {
    const figures = { TotalCommitmentAmount: "0", ...FLOOR };
    expect(offerState({ OfferedToken: {} }, figures).price?.kind).toBe("clearing");
    expect(offerState(OFFER, { ...figures, ClearingPriceNumerator: "0" }).price?.kind).toBe("clearing");
  });

  it("is the fixed one of a sale without an auction, and unknown without either", () => {
    const figures = { TotalCommitmentAmount: "7" };
    const fixed = { ...OFFER, PriceNumerator: "3", PriceDenominator: "4" };
    expect(offerState(fixed, figures).price).toEqual({ kind: "fixed", numerator: 3n, denominator: 4n });
    expect(offerState(OFFER, figures).price).toBeUndefined();
  });
});

describe("the demand for an offer", () => {
  it("is the total without what is bid below the floor, whatever the price", () => {
    const amount = fc.bigInt(0n, 2n ** 256n - 1n);
    fc.assert(
      fc.property(amount, amount, (at, below) => {
        const figures = { TotalCommitmentAmount: `${at + below}`, BelowFloorAmount: `${below}`, ...FLOOR };
        expect(offerState(OFFER, figures)).toMatchObject({ amount: 1000n, demand: at });
      }),
    );
  });
});
