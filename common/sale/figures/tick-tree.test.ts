import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highestTicks, type TickWidth } from "../definition/tick-width.ts";
import { UINT64_MAX } from "../definition/uint.ts";
import { KEPT } from "./counting-class.ts";
import { isRoot, levelOf, lowestTickOf, nodeKey, parentOf, plus, rootKey, TickChanges } from "./tick-tree.ts";

const WIDTHS: readonly TickWidth[] = [8, 20];

const ticksOf = (width: TickWidth) => fc.bigInt({ min: 0n, max: highestTicks(width) });

describe("the key of a node", () => {
  it.each<[TickWidth, number, bigint, string]>([
    [8, 0, UINT64_MAX, `00${"0".repeat(16)}`],
    [8, 1, 0x12_34_56_78_9a_bc_de_f0n, "011200000000000000"],
    [8, 4, 0x12_34_56_78_9a_bc_de_f0n, "041234567800000000"],
    [8, 8, 0x12_34_56_78_9a_bc_de_f0n, "08123456789abcdef0"],
    [8, 8, UINT64_MAX, `08${"f".repeat(16)}`],
    [8, 7, 255n, `07${"0".repeat(16)}`],
    [20, 0, 2n ** 160n - 1n, `00${"0".repeat(40)}`],
    [20, 20, 2n ** 160n - 1n, `14${"f".repeat(40)}`],
    [20, 12, 2n ** 96n + 5n, `0c${"0".repeat(14)}01${"0".repeat(24)}`],
  ])("of %i bytes and level %i for tick %i", (width, level, tick, key) => {
    expect(nodeKey(width, level, tick)).toBe(key);
  });

  it.each(WIDTHS)("of %i bytes gives level, lowest tick and the key above", (width) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: width }), ticksOf(width), (level, tick) => {
        const key = nodeKey(width, level, tick);
        const size = 256n ** BigInt(width - level);
        expect([levelOf(key), lowestTickOf(key)]).toEqual([level, tick - (tick % size)]);
        expect(isRoot(key)).toBe(level === 0);
        if (level > 0) expect(parentOf(key)).toBe(nodeKey(width, level - 1, tick));
      }),
    );
  });

  it.each(WIDTHS)("of %i bytes sorts by level, and within it as the ticks do", (width) => {
    fc.assert(
      fc.property(ticksOf(width), ticksOf(width), (left, right) => {
        expect(nodeKey(width, width, left) < nodeKey(width, width, right)).toBe(left < right);
        expect(nodeKey(width, width - 1, left) < nodeKey(width, width, right)).toBe(true);
      }),
    );
  });
});

describe("TickChanges", () => {
  it.each(WIDTHS)("changes the nodes from the root to the tick of %i bytes, and no others", (width) => {
    const changes = new TickChanges(width, true);
    changes.add(KEPT, 0x0102n, 5n);
    const sums = changes.byClass().get(KEPT);
    const path = Array.from({ length: width + 1 }, (_, level) => nodeKey(width, level, 0x0102n));
    expect(sums).toEqual(new Map(path.map((key) => [key, { amount: 5n, commitments: 1n }])));
  });

  it("changes the root alone where ticks don't matter", () => {
    const changes = new TickChanges(8, false);
    changes.add(KEPT, 7n, 5n);
    changes.add(KEPT, UINT64_MAX, 6n);
    expect([...changes.byClass()]).toEqual([[KEPT, new Map([[rootKey(8), { amount: 11n, commitments: 2n }]])]]);
  });

  it("adds up below a common node and keeps the rest apart", () => {
    const changes = new TickChanges(8, true);
    changes.add(KEPT, 0x0102n, 5n);
    changes.add(KEPT, 0x0103n, 6n);
    changes.remove(KEPT, 0x0203n, 1n);
    const sums = changes.byClass().get(KEPT);
    expect(sums?.get(rootKey(8))).toEqual({ amount: 10n, commitments: 1n });
    expect(sums?.get(nodeKey(8, 7, 0x0100n))).toEqual({ amount: 11n, commitments: 2n });
    expect(sums?.get(nodeKey(8, 8, 0x0102n))).toEqual({ amount: 5n, commitments: 1n });
    expect(sums?.get(nodeKey(8, 8, 0x0203n))).toEqual({ amount: -1n, commitments: -1n });
  });

  it("keeps classes apart, and knows none without amount", () => {
    const changes = new TickChanges(8, false);
    changes.add(1n, 1n, 5n);
    changes.add(2n, 1n, 6n);
    changes.add(-1n, 1n, 7n);
    changes.remove(-2n, 1n, 8n);
    expect([...changes.byClass().keys()]).toEqual([1n, 2n]);
  });

  it("leaves out what ends where it began", () => {
    const changes = new TickChanges(8, true);
    changes.remove(KEPT, 9n, 5n);
    changes.add(KEPT, 9n, 5n);
    expect(changes.byClass()).toEqual(new Map());
  });

  it("keeps a change of the number alone: dust counts", () => {
    const changes = new TickChanges(8, false);
    changes.add(KEPT, 9n, 0n);
    expect(changes.byClass().get(KEPT)?.get(rootKey(8))).toEqual({ amount: 0n, commitments: 1n });
  });

  it.each(WIDTHS)("sums up to the same on every level of %i bytes", (width) => {
    const bids = fc.array(fc.record({ tick: ticksOf(width), amount: fc.bigInt({ min: 0n, max: UINT64_MAX }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(bids, (placed) => {
        const changes = new TickChanges(width, true);
        for (const { tick, amount } of placed) changes.add(KEPT, tick, amount);
        const sums = [...(changes.byClass().get(KEPT) ?? [])];
        const total = placed.reduce((sum, { amount }) => sum + amount, 0n);
        for (let level = 0; level <= width; level += 1) {
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
