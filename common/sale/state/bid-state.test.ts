import { describe, expect, it } from "vitest";
import { type BidFacts, type BidState, bidState, lookUpNote, walletBidStates } from "./bid-state.ts";
import type { SalePhase } from "./phase.ts";

const PHASES: readonly SalePhase[] = ["unknown", "upcoming", "open", "closed", "settled"];
const UNSETTLED = PHASES.filter((phase) => phase !== "settled");
const BID: BidFacts = { Counted: true, amount: 300n, accepted: undefined };

function stateOf(bid: Partial<BidFacts>, phase: SalePhase, isUndersubscribed = false): BidState {
  return bidState({ ...BID, ...bid }, { phase, stage: undefined, isUndersubscribed });
}

describe("what a look-up says of a commitment", () => {
  it.each([
    ["in", false, "in"],
    ["in", true, "unrivalled"],
    ["at_margin", false, "at_margin"],
    ["out", false, "out"],
    ["below_floor", false, "below_floor"],
    ["below_floor", true, "below_floor"],
  ] as const)(
    "is what the price means, %s (less bid than offered: %s), until the settlement",
    (outcome, less, state) => {
      for (const phase of UNSETTLED) expect(stateOf({ ClearingOutcome: outcome }, phase, less)).toBe(state);
      // A price has no say any more.
      expect(stateOf({ ClearingOutcome: outcome }, "settled", less)).toBe("over");
      expect(stateOf({ ClearingOutcome: outcome, accepted: 300n }, "settled", less)).toBe("accepted");
    },
  );

  it("is only that it counts at a fixed price, and nothing of it once the sale is over", () => {
    for (const phase of UNSETTLED) expect(stateOf({}, phase)).toBe("counts");
    expect(stateOf({}, "settled")).toBe("over");
  });

  it.each([
    [0n, "not_accepted", "pending"],
    [1n, "partly_accepted", "partly_accepted"],
    [299n, "partly_accepted", "partly_accepted"],
    [300n, "accepted", "accepted"],
    [301n, "accepted", "accepted"],
  ] as const)(
    "is what was accepted of 300: %s, which is %s once settled, and %s before",
    (accepted, settled, before) => {
      for (const outcome of ["in", "at_margin", "out"] as const) {
        expect(stateOf({ accepted, ClearingOutcome: outcome }, "settled")).toBe(settled);
        for (const phase of UNSETTLED) expect(stateOf({ accepted, ClearingOutcome: outcome }, phase)).toBe(before);
      }
    },
  );

  it("is why it doesn't count, at any time", () => {
    for (const phase of PHASES) {
      for (const accepted of [undefined, 0n]) {
        const bid = { Counted: false, accepted };
        expect(stateOf(bid, phase)).toBe("not_counted");
        expect(stateOf({ ...bid, NotCountedReason: "refunded" }, phase)).toBe("refunded");
        expect(stateOf({ ...bid, NotCountedReason: "no_amount" }, phase)).toBe("no_amount");
      }
    }
  });
});

describe("how it can still change", () => {
  const noteAt = (phase: SalePhase, stage: "closed" | "cancellation" | "settlement" | undefined, states: BidState[]) =>
    lookUpNote(states, { phase, stage, isUndersubscribed: false }, false);

  it("is with every bid only until bidding has ended, and only where bids decide", () => {
    for (const state of ["in", "unrivalled", "at_margin", "out"] as const) {
      for (const phase of PHASES) {
        expect(noteAt(phase, undefined, [state]) === "changes").toBe(phase !== "closed" && phase !== "settled");
      }
    }
    expect(noteAt("open", undefined, ["counts", "below_floor", "refunded"])).toBeUndefined();
  });

  it.each([
    ["closed", "cancelling"],
    ["cancellation", "cancelling"],
    ["settlement", "settling"],
    [undefined, "settling"],
  ] as const)("is by cancelling alone after bidding, at the stage %s: %s", (stage, note) => {
    expect(noteAt("closed", stage, ["out"])).toBe(note);
    expect(noteAt("closed", stage, ["counts"])).toBe("settling");
  });

  it("isn't at all once the sale is settled, which says whether it knows what was accepted", () => {
    const settled = { phase: "settled", stage: "done", isUndersubscribed: false } as const;
    expect(lookUpNote(["partly_accepted"], settled, true)).toBe("settled");
    expect(lookUpNote(["over"], settled, false)).toBe("unsaid");
  });

  it("is nothing to say of a wallet without commitments", () => {
    for (const phase of PHASES) expect(noteAt(phase, undefined, [])).toBeUndefined();
  });
});

describe("a wallet's commitments together", () => {
  const moment = { phase: "settled", stage: "done", isUndersubscribed: false } as const;
  const bid = (entity: string, amount: bigint, Counted = true) => ({ entity, amount, Counted });

  it("have one state of all that counts once it is known what is accepted, and each its own where an entity has only one", () => {
    const bids = [bid("a", 60n), bid("a", 40n), bid("b", 10n), bid("b", 5n, false)];
    const allocations = [
      { entity: "a", accepted: 70n },
      { entity: "b", accepted: 10n },
    ];
    expect(walletBidStates({ bids, allocations, isWhole: true }, moment)).toEqual({
      each: ["over", "over", "over", "not_counted"],
      together: "partly_accepted",
      accepted: 80n,
    });
    const single = walletBidStates({ bids: [bid("a", 60n), bid("b", 10n)], allocations, isWhole: true }, moment);
    expect(single.each).toEqual(["accepted", "accepted"]);
  });

  it("have none where other pages have a part of them, or nothing is known or counts", () => {
    const bids = [bid("a", 60n)];
    const allocations = [{ entity: "a", accepted: 60n }];
    for (const known of [
      { allocations, isWhole: false },
      { allocations: undefined, isWhole: true },
    ]) {
      expect(walletBidStates({ bids, ...known }, moment)).toMatchObject({ each: ["over"], together: undefined });
    }
    const refunded = { bids: [bid("a", 60n, false)], allocations, isWhole: true };
    expect(walletBidStates(refunded, moment)).toMatchObject({ together: undefined, accepted: 60n });
  });
});
