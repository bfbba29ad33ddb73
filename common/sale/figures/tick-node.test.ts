import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountBelow, rangesBelow, type TickNode } from "./tick-node.ts";
import { LEAF_LEVEL, levelOf, lowestTickOf, type NodeKey, TickChanges } from "./tick-tree.ts";

type Bid = readonly [tick: bigint, amount: bigint];

/** The nodes of bids with their keys. */
function treeOf(bids: readonly Bid[]): readonly (TickNode & { readonly key: NodeKey })[] {
  const changes = new TickChanges(true);
  for (const [tick, amount] of bids) changes.add(1n, tick, amount);
  const sums = [...(changes.byClass().get(1n) ?? [])];
  return sums.map(([key, { amount }]) => ({ key, level: levelOf(key), lowestTick: lowestTickOf(key), amount }));
}

const anyTick = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 70_000n), fc.bigInt(0n, 2n ** 64n - 1n));
const anyBids = fc.array(fc.tuple(anyTick, fc.bigInt(1n, 2n ** 256n - 1n)), { maxLength: 30 });

function sum(bids: readonly Bid[]): bigint {
  return bids.reduce((total, [, amount]) => total + amount, 0n);
}

describe("the amount below a tick", () => {
  it("is that of the bids below it, from all nodes or from those of its ranges", () => {
    fc.assert(
      fc.property(anyBids, anyTick, fc.boolean(), (bids, anywhere, isBid) => {
        const tick = isBid ? (bids[0]?.[0] ?? anywhere) : anywhere;
        const nodes = treeOf(bids);
        const ranges = rangesBelow(tick);
        const read = nodes.filter(({ key }) => ranges.some(([first, last]) => key >= first && key <= last));
        const below = sum(bids.filter(([bid]) => bid < tick));
        expect([amountBelow(tick, nodes), amountBelow(tick, read)]).toEqual([below, below]);
      }),
    );
  });

  it("needs no node where nothing is bid below, and no range where nothing can be", () => {
    const nodes = treeOf([
      [10n, 1n],
      [11n, 1n],
      [70_000n, 1n],
    ]);
    const ranges = rangesBelow(10n);
    expect(ranges.map(([first]) => levelOf(first))).toEqual([LEAF_LEVEL]);
    expect(nodes.some(({ key }) => ranges.some(([first, last]) => key >= first && key <= last))).toBe(false);
    expect(rangesBelow(0n)).toEqual([]);
  });
});
