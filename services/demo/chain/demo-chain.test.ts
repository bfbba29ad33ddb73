import { describe, expect, it } from "vitest";
import type { Bid } from "../bidders/bid.ts";
import { forgetfulBidBook } from "./demo-chain.ts";

const bid: Bid = { entity: 1, createdAtSeconds: 1n, priceTicks: 1n, refunded: false, amounts: [] };

/** A forgetful book with a log of what it did, bid by bid. */
function loggedBook() {
  const done: string[] = [];
  let broken = false;
  const place = async (bids: readonly Bid[]) => void done.push(...bids.map(() => "bid"));
  const forgetOldBlocks = async () => {
    done.push("forget");
    if (broken) throw new Error("it doesn't start");
  };
  const book = forgetfulBidBook({ takesCancellations: false, placed: async () => [bid], place }, { forgetOldBlocks });
  return { book, done, breakChain: (isBroken: boolean) => (broken = isBroken) };
}

describe("a forgetful bid book", () => {
  it("forgets between two bids, 2,000 bids apart", async () => {
    const { book, done } = loggedBook();
    await book.place(Array.from({ length: 1_999 }, () => bid));
    for (let bids = 0; bids < 2_002; bids += 1) await book.place([bid]);
    const forgotten = done.flatMap((what, index) => (what === "forget" ? [index] : []));
    expect(forgotten).toEqual([2_000, 4_001]);
    expect(done).toHaveLength(4_003);
  });

  it("tries again if forgetting has failed, and places nothing before", async () => {
    const { book, done, breakChain } = loggedBook();
    await book.place(Array.from({ length: 2_000 }, () => bid));
    breakChain(true);
    await expect(book.place([bid])).rejects.toThrow("it doesn't start");
    breakChain(false);
    await book.place([bid]);
    expect(done.slice(2_000)).toEqual(["forget", "forget", "bid"]);
  });

  it("otherwise passes everything to its book", async () => {
    const { book } = loggedBook();
    expect(await book.placed()).toEqual([bid]);
    expect(book.takesCancellations).toBe(false);
  });
});
