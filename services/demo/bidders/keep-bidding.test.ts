import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AUCTION } from "../sales/demo-sales.ts";
import type { Bid } from "./bid.ts";
import { bidSteps, keepBidding } from "./keep-bidding.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Bidders with one entity after the other, and a book that fails so many times first. */
function bidding(failures: number) {
  const placed: number[] = [];
  const warn = vi.fn();
  const sale = { settled: false };
  let [entity, left] = [0, failures];
  const act = (createdAtSeconds: bigint): Bid => {
    return { entity: entity++, createdAtSeconds, priceTicks: 1n, refunded: false, amounts: [] };
  };
  const place = async (bids: readonly Bid[]) => {
    if (left-- > 0) throw new Error("away");
    placed.push(...bids.map((bid) => bid.entity));
  };
  const book = { takesCancellations: false, placed: async () => [], place };
  const isSettled = async () => sale.settled;
  const step = bidSteps({ book, bidders: { act }, isSettled });
  const stop = keepBidding({ saleUuid: AUCTION.uuid, step, bidIntervalMs: 10, logger: { warn } });
  return { sale, placed, warn, stop };
}

describe("keepBidding", () => {
  it("places a bid an interval until it is stopped", async () => {
    const { placed, stop } = bidding(0);
    await vi.advanceTimersByTimeAsync(30);
    await stop();
    await vi.advanceTimersByTimeAsync(30);
    expect(placed).toEqual([0, 1, 2]);
  });

  it("places none in a sale that is settled", async () => {
    const { sale, placed, stop } = bidding(0);
    await vi.advanceTimersByTimeAsync(10);
    sale.settled = true;
    await vi.advanceTimersByTimeAsync(30);
    await stop();
    expect(placed).toEqual([0]);
  });

  it("places a bid that failed again, and logs the first failure only", async () => {
    const { placed, warn, stop } = bidding(3);
    await vi.advanceTimersByTimeAsync(50);
    await stop();
    expect(placed).toEqual([0, 1]);
    expect(warn).toHaveBeenCalledOnce();
  });
});
