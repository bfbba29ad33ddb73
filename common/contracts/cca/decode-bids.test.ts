import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { bidsAnswer } from "../../../test/support/chains/auction-answers.ts";
import { Q96 } from "../../../test/support/chains/continuous-auction.ts";
import { decodeBids } from "./decode-bids.ts";

const OWNER: Hex = `0x${"ab".repeat(19)}0c`;
const HIGHEST = 2n ** 160n - 1n;

/** An auction's answer. The fields of a bid: price, amountQ96, start block, mps. */
function answer(count: bigint, ...bids: readonly (readonly [bigint, bigint, bigint, number])[]): Hex {
  return bidsAnswer(
    count,
    bids.map(([maxPrice, amountQ96, startBlock, startCumulativeMps]) => ({
      ...{ maxPrice, amountQ96, owner: OWNER, startBlock, startCumulativeMps },
    })),
  );
}

describe("an auction's bids", () => {
  it("are decoded with their numbers", () => {
    const bids = answer(
      9n,
      [2n * Q96, 7n * Q96, 12n, 0],
      [HIGHEST, (2n ** 128n - 1n) * Q96, 2n ** 64n - 1n, 9_999_999],
    );
    expect(decodeBids(bids, { from: 7n, to: 9n }, 2n ** 64n)).toEqual([
      { id: 7n, maxPrice: 2n * Q96, amount: 7n, owner: OWNER, startBlock: 12n, startCumulativeMps: 0n },
      {
        id: 8n,
        maxPrice: HIGHEST,
        amount: 2n ** 128n - 1n,
        owner: OWNER,
        startBlock: 2n ** 64n - 1n,
        startCumulativeMps: 9_999_999n,
      },
    ]);
    expect(decodeBids(answer(0n), { from: 0n, to: 0n }, 12n)).toEqual([]);
  });

  it.each<[string, Hex, string]>([
    ["are fewer than asked for", answer(9n, [Q96, Q96, 1n, 0]), "128 bytes instead of 224"],
    [
      "are more than there are",
      answer(1n, [Q96, Q96, 1n, 0], [Q96, Q96, 1n, 0]),
      "bids up to 2 of an auction that has 1",
    ],
    ["have a part of a unit", answer(2n, [Q96, Q96, 1n, 0], [Q96, Q96 + 1n, 1n, 0]), "the amount of a bid isn't whole"],
    ["are of a later block", answer(2n, [Q96, Q96, 12n, 0], [Q96, Q96, 13n, 0]), "bid 1 is of block 13, after 12"],
    [
      "were made when all was issued",
      answer(2n, [Q96, Q96, 1n, 0], [Q96, Q96, 1n, 10_000_000]),
      "bid 1 was made when all was issued",
    ],
  ])("are refused where they %s", (_, bids, problem) => {
    expect(() => decodeBids(bids, { from: 0n, to: 2n }, 12n)).toThrow(problem);
  });
});
