import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highestTicks, type TickWidth } from "../../../common/sale/definition/tick-width.ts";
import { UINT64_MAX } from "../../../common/sale/definition/uint.ts";
import { type CountedTickNode, type LevelRequest, type PriceLevel, priceLevels } from "./price-levels.ts";

interface Bid {
  readonly ticks: bigint;
  readonly amount: bigint;
}

function levelOf(width: TickWidth, bids: readonly Bid[], level: number): CountedTickNode[] {
  const size = 256n ** BigInt(width - level);
  const nodes = new Map<bigint, CountedTickNode>();
  for (const { ticks, amount } of bids) {
    const lowestTick = ticks - (ticks % size);
    const { amount: sum, commitments } = nodes.get(lowestTick) ?? { amount: 0n, commitments: 0n };
    nodes.set(lowestTick, { level, lowestTick, amount: sum + amount, commitments: commitments + 1n });
  }
  return [...nodes.values()];
}

function demandCurve(bids: readonly Bid[], maxLevels: number, width: TickWidth = 8): [PriceLevel[], LevelRequest[]] {
  const search = priceLevels(width, maxLevels);
  const requests: LevelRequest[] = [];
  let step = search.next();
  while (!step.done) {
    requests.push(step.value);
    step = search.next(levelOf(width, bids, step.value.level).slice(0, step.value.limit));
  }
  return [step.value, requests];
}

const bids: Bid[] = [
  { ticks: 5n, amount: 1n },
  { ticks: 300n, amount: 20n },
  { ticks: 5n, amount: 300n },
  { ticks: 7n, amount: 4000n },
];

describe("priceLevels", () => {
  it("lists every price where they are few enough", () => {
    expect(demandCurve(bids, 3)[0]).toEqual([
      { lowestTick: 300n, highestTick: 300n, amount: 20n, commitments: 1n, cumulativeAmount: 20n },
      { lowestTick: 7n, highestTick: 7n, amount: 4000n, commitments: 1n, cumulativeAmount: 4020n },
      { lowestTick: 5n, highestTick: 5n, amount: 301n, commitments: 2n, cumulativeAmount: 4321n },
    ]);
  });

  it("puts neighbours together where they are more, no more than it must", () => {
    expect(demandCurve(bids, 2)[0]).toEqual([
      { lowestTick: 300n, highestTick: 303n, amount: 20n, commitments: 1n, cumulativeAmount: 20n },
      { lowestTick: 4n, highestTick: 7n, amount: 4301n, commitments: 3n, cumulativeAmount: 4321n },
    ]);
    expect(demandCurve(bids, 1)[0]).toMatchObject([
      { lowestTick: 0n, highestTick: 511n, amount: 4321n, commitments: 4n },
    ]);
  });

  it("keeps coarser ranges where there are more prices than it reads", () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ ticks: BigInt(index), amount: 1n }));
    expect(demandCurve(many, 3)[0].map(({ lowestTick, amount }) => [lowestTick, amount])).toEqual([
      [512n, 88n],
      [256n, 256n],
      [0n, 256n],
    ]);
  });

  it("puts all ticks together where even the coarsest ranges are too many", () => {
    const apart = [
      { ticks: 0n, amount: 3n },
      { ticks: UINT64_MAX, amount: 4n },
    ];
    expect(demandCurve(apart, 1)[0]).toEqual([
      { lowestTick: 0n, highestTick: UINT64_MAX, amount: 7n, commitments: 2n, cumulativeAmount: 7n },
    ]);
  });

  it("is empty without commitments", () => {
    expect(demandCurve([], 10)[0]).toEqual([]);
  });

  it("asks for a bounded number of nodes, and for nothing finer than it can show", () => {
    const requests = demandCurve(bids, 5)[1];
    expect(requests.map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(requests.slice(1).every(({ limit }) => limit === 513)).toBe(true);
    expect(demandCurve(bids, 1)[1].map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it.each<TickWidth>([8, 20])("accounts for every bid once, at the finest ranges that fit, in %i bytes", (bytes) => {
    const ticks = fc.oneof(fc.nat(3000).map(BigInt), fc.bigInt({ min: 0n, max: highestTicks(bytes) }));
    const anyBids = fc.array(fc.record({ ticks, amount: fc.nat().map(BigInt) }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(anyBids, fc.integer({ min: 1, max: 70 }), (bids, maxLevels) => {
        const [levels] = demandCurve(bids, maxLevels, bytes);
        const [{ lowestTick: tick, highestTick }] = levels as [PriceLevel, ...PriceLevel[]];
        const width = highestTick - tick + 1n;
        const rangesOf = (size: bigint) => new Set(bids.map((bid) => bid.ticks / size)).size;
        expect(levels).toHaveLength(rangesOf(width));
        expect(levels.length).toBeLessThanOrEqual(maxLevels);
        if (width > 1n) expect(rangesOf(width / 2n)).toBeGreaterThan(maxLevels);
        for (const level of levels) {
          const inside = bids.filter(({ ticks }) => ticks >= level.lowestTick && ticks <= level.highestTick);
          const atOrAbove = bids.filter(({ ticks }) => ticks >= level.lowestTick);
          expect(level.commitments).toBe(BigInt(inside.length));
          expect(level.amount).toBe(inside.reduce((sum, bid) => sum + bid.amount, 0n));
          expect(level.cumulativeAmount).toBe(atOrAbove.reduce((sum, bid) => sum + bid.amount, 0n));
        }
        expect(levels.reduce((sum, level) => sum + level.commitments, 0n)).toBe(BigInt(bids.length));
        expect(levels).toEqual(levels.toSorted((a, b) => (a.lowestTick > b.lowestTick ? -1 : 1)));
      }),
    );
  });
});
