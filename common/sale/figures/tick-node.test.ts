import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highestTicks, type TickWidth } from "../definition/tick-width.ts";
import { amountBelow, rangesBelow, type TickNode } from "./tick-node.ts";
import { levelOf, lowestTickOf, type NodeKey, TickChanges } from "./tick-tree.ts";

type Bid = readonly [tick: bigint, amount: bigint];

/** The nodes of bids with their keys. */
function treeOf(width: TickWidth, bids: readonly Bid[]): readonly (TickNode & { readonly key: NodeKey })[] {
  const changes = new TickChanges(width, true);
  for (const [tick, amount] of bids) changes.add(1n, tick, amount);
  const sums = [...(changes.byClass().get(1n) ?? [])];
  return sums.map(([key, { amount }]) => ({ key, level: levelOf(key), lowestTick: lowestTickOf(key), amount }));
}

const tickOf = (width: TickWidth) =>
  fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 70_000n), fc.bigInt(0n, highestTicks(width)));
const bidsOf = (width: TickWidth) =>
  fc.array(fc.tuple(tickOf(width), fc.bigInt(1n, 2n ** 256n - 1n)), { maxLength: 30 });

function sum(bids: readonly Bid[]): bigint {
  return bids.reduce((total, [, amount]) => total + amount, 0n);
}

describe("the amount below a tick", () => {
  it.each<TickWidth>([8, 20])("is that of the bids below it, from all nodes or its ranges, in %i bytes", (width) => {
    fc.assert(
      fc.property(bidsOf(width), tickOf(width), fc.boolean(), (bids, anywhere, isBid) => {
        const tick = isBid ? (bids[0]?.[0] ?? anywhere) : anywhere;
        const nodes = treeOf(width, bids);
        const ranges = rangesBelow(width, tick);
        const read = nodes.filter(({ key }) => ranges.some(([first, last]) => key >= first && key <= last));
        const below = sum(bids.filter(([bid]) => bid < tick));
        expect([amountBelow(width, tick, nodes), amountBelow(width, tick, read)]).toEqual([below, below]);
      }),
    );
  });

  it("needs no node where nothing is bid below, and no range where nothing can be", () => {
    const nodes = treeOf(8, [
      [10n, 1n],
      [11n, 1n],
      [70_000n, 1n],
    ]);
    const ranges = rangesBelow(8, 10n);
    expect(ranges.map(([first]) => levelOf(first))).toEqual([8]);
    expect(nodes.some(({ key }) => ranges.some(([first, last]) => key >= first && key <= last))).toBe(false);
    expect(rangesBelow(8, 0n)).toEqual([]);
  });
});
