import { expect, it } from "vitest";
import { nodeKey } from "../../../../common/sale/figures/tick-tree.ts";
import { LoadedNodes } from "../../base/loaded-nodes.ts";
import { auctionDefinition, openState, saleOf } from "../../testing/samples.ts";
import { type CommittedChange, MAX_NODES_OF_SALE, SaleCache } from "./sale-cache.ts";

const nodesOf = (count: number) =>
  LoadedNodes.whole(
    Array.from({ length: count }, (_, tick) => ({
      standing: 1n,
      node: Buffer.from(nodeKey(8, 8, BigInt(tick)), "hex"),
      amount: "1",
      commitments: 1n,
      demand: null,
    })),
  );
/** A sixteenth of the nodes that all cached sales may have together. */
const nodes = nodesOf(4_096);

function changeOf(uuid: string, change: Partial<CommittedChange> = {}): CommittedChange {
  const sale = { ...saleOf(auctionDefinition), uuid };
  const before = { tokenBefore: "a1", revisionBefore: openState.revision };
  return { sale, state: openState, token: "a1", nodes, changedAtMillis: 0n, ...before, ...change };
}

it("forgets the sales that weren't changed for longest, so that its size is bounded", () => {
  const cache = new SaleCache();
  for (let index = 0; index < 20; index++) cache.store(changeOf(`sale ${index}`));
  cache.store(changeOf("sale 4"));
  const kept = Array.from({ length: 20 }, (_, index) => cache.take(`sale ${index}`) !== undefined);
  expect(kept.map((isKept, index) => (isKept ? index : -1)).filter((index) => index >= 0)).toEqual([
    4,
    ...Array.from({ length: 15 }, (_, index) => 5 + index),
  ]);
  expect(cache.take("sale 4")).toBeUndefined();
});

it("trusts a sale after three changes in a row, and later after each failure", () => {
  const cache = new SaleCache();
  const changesUntilTrusted = (change: Partial<CommittedChange> = {}) => {
    for (let count = 1; ; count++) {
      cache.store(changeOf("a", count === 1 ? change : {}));
      if (cache.takeTrusted("a") !== undefined) return count;
    }
  };
  expect(changesUntilTrusted()).toBe(3);
  expect(changesUntilTrusted()).toBe(1);
  expect(changesUntilTrusted({ tokenBefore: "b2" })).toBe(3);
  expect(changesUntilTrusted({ revisionBefore: 1n })).toBe(3);
  cache.penalise("a");
  expect(changesUntilTrusted()).toBe(6);
});

it.each<[string, Partial<CommittedChange>]>([
  ["has too many nodes", { nodes: nodesOf(MAX_NODES_OF_SALE + 1) }],
  ["wasn't read whole", { nodes: LoadedNodes.none() }],
  ["has an open change set", { state: { ...openState, changeSet: { uuid: "a1", nextPart: 1 } } }],
])("doesn't cache a sale that %s", (_, change) => {
  const cache = new SaleCache();
  cache.store(changeOf("a", change));
  expect(cache.take("a")).toBeUndefined();
});

it("asks for all nodes one change before the first attempt, and ever more rarely where there are too many", () => {
  const cache = new SaleCache();
  const change = changeOf("a", { nodes: LoadedNodes.none() });
  cache.store(change);
  expect(cache.wantsAllNodes("a")).toBe(false);
  cache.store(change);
  expect(cache.wantsAllNodes("a")).toBe(true);
  for (const pause of [4, 10, 22]) {
    cache.penalise("a");
    for (let count = 0; count < pause; count++) {
      cache.store(change);
      expect(cache.wantsAllNodes("a")).toBe(false);
    }
    cache.store(change);
    expect(cache.wantsAllNodes("a")).toBe(true);
  }
});
