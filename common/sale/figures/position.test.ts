import { describe, expect, it } from "vitest";
import { auctionDefinition, recordOf } from "../../../services/commitments/testing/samples.ts";
import { clearingMatters, isUndersubscribed, type PositionFacts, positionEntry } from "./position.ts";

/** At 100 ticks of 10^-15, the 10^24 offered units cost 10^11, which is a demand of 10^26. */
const COST = 10n ** 26n;
const record = recordOf(1);
const auction: PositionFacts = {
  definition: auctionDefinition,
  active: [1n, 3n],
  clearing: { tick: 100n, demand: COST + 1n },
};
const clearingAt = (tick: bigint, demand = COST + 1n): PositionFacts => ({ ...auction, clearing: { tick, demand } });
const fixed: PositionFacts = {
  ...auction,
  definition: { ...auctionDefinition, pricing: { kind: "fixed", priceTicks: 100n } },
};
const { clearing: _, ...draft } = auction;

function withFloor(floorTicks: bigint) {
  const { pricing } = auctionDefinition;
  return { ...auctionDefinition, pricing: { ...pricing, floorTicks } as typeof pricing };
}

describe("a commitment of a position", () => {
  it.each<[string, bigint, object]>([
    ["refunded", 2n, { notCounted: "refunded" }],
    ["refunded in an earlier settlement", 4n, { notCounted: "refunded" }],
    ["without an amount", -1n, { notCounted: "no_amount" }],
    ["refunded, and without an amount", -2n, { notCounted: "no_amount" }],
    ["kept", 1n, { outcome: "at_margin" }],
    ["refunded in the settlement that counts", 3n, { outcome: "at_margin" }],
  ])("that is %s", (_, countingClass, expected) => {
    expect(positionEntry({ record, countingClass }, auction)).toEqual({ record, ...expected });
  });

  it.each<[string, PositionFacts, object]>([
    ["below the clearing price is out", clearingAt(101n, 0n), { outcome: "out" }],
    ["above it is in, whatever is bid", clearingAt(99n), { outcome: "in" }],
    ["at it is in while all that is bid can be bought", clearingAt(100n, COST), { outcome: "in" }],
    ["at it is at the margin once more is bid", clearingAt(100n), { outcome: "at_margin" }],
    ["below the floor is, whatever clears", { ...auction, definition: withFloor(101n) }, { outcome: "below_floor" }],
    ["of a sale at a fixed price is neither", fixed, {}],
    ["of a sale without a clearing price is neither", draft, {}],
  ])("%s", (_, facts, expected) => {
    expect(positionEntry({ record, countingClass: 1n }, facts)).toEqual({ record, ...expected });
  });

  it("needs the demand only if it is active and has the clearing price, or that is the floor", () => {
    const matters = (countingClass: bigint, tick: bigint, floor: bigint) =>
      clearingMatters([{ record, countingClass }], [1n], tick, withFloor(floor).pricing);
    expect(matters(1n, 100n, 1n)).toBe(true);
    expect(matters(2n, 100n, 1n)).toBe(false);
    expect(matters(1n, 101n, 1n)).toBe(false);
    expect(matters(1n, 101n, 101n)).toBe(true);
    expect(matters(2n, 101n, 101n)).toBe(false);
  });

  it("belongs to an auction that clears nothing only while less is bid than the offer costs at the floor", () => {
    const at = (tick: bigint, demand: bigint, floor: bigint) =>
      isUndersubscribed({ definition: withFloor(floor), clearing: { tick, demand } });
    expect(at(100n, COST - 1n, 100n)).toBe(true);
    expect(at(100n, COST, 100n)).toBe(false);
    expect(at(105n, COST - 1n, 100n)).toBe(false);
    expect(isUndersubscribed(fixed)).toBe(false);
    expect(isUndersubscribed(draft)).toBe(false);
  });
});
