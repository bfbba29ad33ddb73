import { describe, expect, it } from "vitest";
import { auctionDefinition, recordOf } from "../../../services/commitments/testing/samples.ts";
import { clearingMatters, type PositionFacts, positionEntry } from "./position.ts";

/** At 100 ticks of 10^-15, the 10^24 offered units cost 10^11. */
const COST = 10n ** 11n;
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
    ["of a sale at a fixed price is neither", fixed, {}],
    ["of a sale without a clearing price is neither", draft, {}],
  ])("%s", (_, facts, expected) => {
    expect(positionEntry({ record, countingClass: 1n }, facts)).toEqual({ record, ...expected });
  });

  it("needs the demand only if it is active and has the clearing price", () => {
    expect(clearingMatters([{ record, countingClass: 1n }], [1n], 100n)).toBe(true);
    expect(clearingMatters([{ record, countingClass: 2n }], [1n], 100n)).toBe(false);
    expect(clearingMatters([{ record, countingClass: 1n }], [1n], 101n)).toBe(false);
  });
});
