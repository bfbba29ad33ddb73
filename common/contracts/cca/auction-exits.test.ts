import { describe, expect, it } from "vitest";
import { Q96 } from "../../../test/support/chains/continuous-auction.ts";
import { exitsOf } from "./auction-exits.ts";
import type { AuctionCourse } from "./fills/bid-outcome.ts";
import { ALL_MPS, type Checkpoint } from "./fills/checkpoint.ts";
import { CheckpointList } from "./fills/checkpoint-list.ts";

/** A checkpoint in ten-millionths of the supply that were issued before its block. */
function checkpoint(block: bigint, price: bigint, mps: bigint, raisedAtPrice = 0n): Checkpoint {
  return { block, price: price * Q96, mps, mpsPerPrice: mps, raisedAtPrice };
}

/** Nothing is issued between the first two blocks. */
const CHECKPOINTS = [checkpoint(5n, 1n, 0n), checkpoint(7n, 1n, 0n), checkpoint(9n, 2n, 5_000_000n)];
const bidAt = (price: bigint, rest = ALL_MPS) => ({
  commitmentId: "c".padStart(64, "0"),
  priceTicks: price * Q96,
  amount: 7n,
  demand: (7n * Q96 * ALL_MPS) / rest,
});

function exitsAt(change: Partial<AuctionCourse> = {}) {
  const checkpoints = new CheckpointList(CHECKPOINTS);
  const course: AuctionCourse = {
    version: "1.0.0",
    checkpoints,
    isOver: false,
    isGraduated: true,
    demandAt: () => 6n * Q96,
  };
  return exitsOf({ ...course, ...change }, 9n);
}

describe("exits of bids", () => {
  const over = (price: bigint, raisedAtPrice = 0n) => ({
    isOver: true,
    checkpoints: new CheckpointList([...CHECKPOINTS, checkpoint(20n, price, ALL_MPS, raisedAtPrice)]),
  });

  it("follow from a bid's own demand", () => {
    const { height, of } = exitsAt({
      isOver: true,
      checkpoints: new CheckpointList([...CHECKPOINTS, checkpoint(20n, 3n, ALL_MPS)]),
    });
    expect(height).toBe(9n);
    // All was still to be issued: half of it below its price. Then half: nothing.
    const call = (last: bigint, outbid: bigint) => ({ name: "exitPartiallyFilledBid", arguments: [12n, last, outbid] });
    expect(of(bidAt(2n), undefined)).toEqual({
      standing: "outbid",
      fill: { spent: 0n, refunded: 7n, tokens: 0n },
      call: call(7n, 20n),
    });
    expect(of(bidAt(3n, 5_000_000n), undefined)).toMatchObject({ standing: "at_final_price", call: call(9n, 0n) });
    expect(of(bidAt(4n), undefined)).toMatchObject({
      standing: "above_final_price",
      fill: { spent: 7n, refunded: 0n },
      call: { name: "exitBid", arguments: [12n] },
    });
  });

  it("wait for the end, a checkpoint or enough money", () => {
    const { of } = exitsAt();
    expect(of(bidAt(3n), undefined)).toEqual({ standing: "may_get_more" });
    expect(of(bidAt(3n), 3n * Q96 + 1n)).toEqual({
      standing: "awaits_checkpoint",
      fill: { spent: 4n, refunded: 3n, tokens: expect.any(BigInt) },
    });
    const poor = exitsAt({ isGraduated: false });
    expect(poor.of(bidAt(3n), 3n * Q96 + 1n)).toMatchObject({ standing: "awaits_graduation" });
    expect(poor.of(bidAt(3n), 3n * Q96 + 1n)).not.toHaveProperty("call");
    const unsure = exitsAt({ ...over(3n), isGraduated: undefined });
    expect(unsure.of(bidAt(4n), undefined)).not.toHaveProperty("call");
    expect(unsure.of(bidAt(4n), undefined)).toMatchObject({ standing: "awaits_checkpoint" });
  });

  it("refund all after an auction that hasn't raised enough, and are none for a bid that is locked", () => {
    expect(exitsAt({ ...over(3n), isGraduated: false }).of(bidAt(3n), undefined)).toEqual({
      standing: "not_graduated",
      fill: { spent: 0n, refunded: 7n, tokens: 0n },
      call: { name: "exitBid", arguments: [12n] },
    });
    // A seventh of all was issued before its price, and the rest of it is raised at its price: both round up.
    const odd = [checkpoint(5n, 1n, 0n), checkpoint(9n, 2n, 3_333_333n)];
    const raised = 6n * Q96 * (ALL_MPS - 3_333_333n);
    const checkpoints = new CheckpointList([...odd, checkpoint(20n, 3n, ALL_MPS, raised)]);
    const locked = exitsAt({ isOver: true, checkpoints, demandAt: () => 6n * Q96 });
    expect(locked.of({ ...bidAt(3n), amount: 7n }, undefined)).toEqual({ standing: "locked" });
  });

  it("aren't known of a bid after the last checkpoint, nor of one whose demand isn't its amount's", () => {
    expect(exitsAt().of(bidAt(3n, 4_000_000n), undefined)).toBeUndefined();
    const other = { ...bidAt(3n), demand: bidAt(3n).demand + 1n };
    expect(() => exitsAt().of(other, undefined)).toThrow("no bid of 7 has a demand of");
    expect(() => exitsAt().of({ ...bidAt(3n), demand: 0n }, undefined)).toThrow("no bid of 7 has a demand of 0");
  });
});
