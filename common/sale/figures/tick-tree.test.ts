import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UINT64_MAX } from "../definition/uint.ts";
import { KEPT } from "./counting-class.ts";
import { LEAF_LEVEL, levelOf, lowestTickOf, nodeKey, plus, ROOT_KEY, TickChanges } from "./tick-tree.ts";

const ticks = fc.bigInt({ min: 0n, max: UINT64_MAX });
const levels = fc.integer({ min: 0, max: LEAF_LEVEL });

describe("the key of a node", () => {
  it.each([
    [0, UINT64_MAX, `00${"0".repeat(16)}`],
    [1, 0x12_34_56_78_9a_bc_de_f0n, "011200000000000000"],
    [4, 0x12_34_56_78_9a_bc_de_f0n, "041234567800000000"],
    [8, 0x12_34_56_78_9a_bc_de_f0n, "08123456789abcdef0"],
    [8, UINT64_MAX, `08${"f".repeat(16)}`],
    [7, 255n, `07${"0".repeat(16)}`],
  ])("of level %i for tick %i", (level, tick, key) => {
    expect(nodeKey(level, tick)).toBe(key);
  });

  it("gives level and lowest tick", () => {
    fc.assert(
      fc.property(levels, ticks, (level, tick) => {
        const key = nodeKey(level, tick);
        const width = 256n ** BigInt(LEAF_LEVEL - level);
        expect([levelOf(key), lowestTickOf(key)]).toEqual([level, tick - (tick % width)]);
      }),
    );
  });

  it("sorts within a level as the ticks do", () => {
    fc.assert(
      fc.property(ticks, ticks, (left, right) => {
        expect(nodeKey(LEAF_LEVEL, left) < nodeKey(LEAF_LEVEL, right)).toBe(left < right);
      }),
    );
  });
});

describe("TickChanges", () => {
  it("changes the nodes from the root to the tick", () => {
    const changes = new TickChanges(true);
    changes.add(KEPT, 0x0102n, 5n);
    const sums = changes.byClass().get(KEPT);
    const path = Array.from({ length: LEAF_LEVEL + 1 }, (_, level) => nodeKey(level, 0x0102n));
    expect(sums).toEqual(new Map(path.map((key) => [key, { amount: 5n, commitments: 1n }])));
  });

  it("changes the root alone where ticks don't matter", () => {
    const changes = new TickChanges(false);
    changes.add(KEPT, 7n, 5n);
    changes.add(KEPT, UINT64_MAX, 6n);
    expect([...changes.byClass()]).toEqual([[KEPT, new Map([[ROOT_KEY, { amount: 11n, commitments: 2n }]])]]);
  });

  it("adds up below a common node and keeps the rest apart", () => {
    const changes = new TickChanges(true);
    changes.add(KEPT, 0x0102n, 5n);
    changes.add(KEPT, 0x0103n, 6n);
    changes.remove(KEPT, 0x0203n, 1n);
    const sums = changes.byClass().get(KEPT);
    expect(sums?.get(ROOT_KEY)).toEqual({ amount: 10n, commitments: 1n });
    expect(sums?.get(nodeKey(7, 0x0100n))).toEqual({ amount: 11n, commitments: 2n });
    expect(sums?.get(nodeKey(8, 0x0102n))).toEqual({ amount: 5n, commitments: 1n });
    expect(sums?.get(nodeKey(8, 0x0203n))).toEqual({ amount: -1n, commitments: -1n });
  });

  it("keeps classes apart, and knows none without amount", () => {
    const changes = new TickChanges(false);
    changes.add(1n, 1n, 5n);
    changes.add(2n, 1n, 6n);
    changes.add(-1n, 1n, 7n);
    changes.remove(-2n, 1n, 8n);
    expect([...changes.byClass().keys()]).toEqual([1n, 2n]);
  });

  it("leaves out what ends where it began", () => {
    const changes = new TickChanges(true);
    changes.remove(KEPT, 9n, 5n);
    changes.add(KEPT, 9n, 5n);
    expect(changes.byClass()).toEqual(new Map());
  });

  it("keeps a change of the number alone: dust counts", () => {
    const changes = new TickChanges(false);
    changes.add(KEPT, 9n, 0n);
    expect(changes.byClass().get(KEPT)?.get(ROOT_KEY)).toEqual({ amount: 0n, commitments: 1n });
  });

  it("sums up to the same on every level", () => {
    const bids = fc.array(fc.record({ tick: ticks, amount: fc.bigInt({ min: 0n, max: UINT64_MAX }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(bids, (placed) => {
        const changes = new TickChanges(true);
        for (const { tick, amount } of placed) changes.add(KEPT, tick, amount);
        const sums = [...(changes.byClass().get(KEPT) ?? [])];
        const total = placed.reduce((sum, { amount }) => sum + amount, 0n);
        for (let level = 0; level <= LEAF_LEVEL; level += 1) {
          const nodes = sums.filter(([key]) => levelOf(key) === level).map(([, sum]) => sum);
          expect(nodes.reduce(plus)).toEqual({ amount: total, commitments: BigInt(placed.length) });
        }
      }),
    );
  });
});

describe("plus", () => {
  it("takes a missing node for an empty one", () => {
    const sum = { amount: 3n, commitments: 1n };
    expect(plus(undefined, sum)).toEqual(sum);
    expect(plus(sum, { amount: -3n, commitments: -1n })).toEqual({ amount: 0n, commitments: 0n });
  });
});
