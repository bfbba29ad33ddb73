import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fraction } from "../definition/fraction.ts";
import type { AuctionPricing } from "../definition/sale.ts";
import { highestTicks, type TickWidth } from "../definition/tick-width.ts";
import { UINT64_MAX, UINT256_MAX } from "../definition/uint.ts";
import { type ChildrenRequest, clearingTick, type TickSearch } from "./clearing-price.ts";
import { outbiddingTick } from "./clearing-search.ts";
import { highestTick, type TickNode, ticksOfNode } from "./tick-node.ts";

interface Bid {
  readonly ticks: bigint;
  readonly amount: bigint;
}

const oneToOne: Fraction = { numerator: 1n, denominator: 1n };

function auctionOf(change: Partial<AuctionPricing> = {}): AuctionPricing {
  return { kind: "auction", offeredAmount: 10n, floorTicks: 0n, incrementTicks: 1n, ...change };
}

/** The children of a node, added up from the bids, lowest first. */
function childrenOf(width: TickWidth, bids: readonly Bid[], { level, lowestTick }: ChildrenRequest): TickNode[] {
  const size = ticksOfNode(width, level);
  const amounts = new Map<bigint, bigint>();
  for (const { ticks, amount } of bids) {
    if (ticks < lowestTick || ticks > highestTick(width, { level: level - 1, lowestTick })) continue;
    const start = ticks - (ticks % size);
    amounts.set(start, (amounts.get(start) ?? 0n) + amount);
  }
  const nodes = [...amounts].map(([start, amount]) => ({ level, lowestTick: start, amount }));
  return nodes.sort((a, b) => (a.lowestTick < b.lowestTick ? -1 : 1));
}

/** Drives the search over an in-memory tree; the requests are its second result. */
function search(
  auction: AuctionPricing,
  priceTick: Fraction,
  bids: readonly Bid[],
  width: TickWidth = 8,
): [bigint, ChildrenRequest[]] {
  return driven(clearingTick(auction, priceTick, width), bids, width);
}

function driven(descent: TickSearch, bids: readonly Bid[], width: TickWidth): [bigint, ChildrenRequest[]] {
  const requests: ChildrenRequest[] = [];
  let step = descent.next();
  while (!step.done) {
    requests.push(step.value);
    step = descent.next(childrenOf(width, bids, step.value));
  }
  return [step.value, requests];
}

function fits(auction: AuctionPricing, priceTick: Fraction, bids: readonly Bid[], tick: bigint): boolean {
  const demand = bids.reduce((sum, bid) => (bid.ticks >= tick ? sum + bid.amount : sum), 0n);
  return demand * priceTick.denominator >= tick * priceTick.numerator * auction.offeredAmount;
}

/** The definition read literally: every grid tick is tried. Only for small ticks. */
function tryEveryTick(auction: AuctionPricing, priceTick: Fraction, bids: readonly Bid[], highest: bigint): bigint {
  let best = auction.floorTicks;
  for (let tick = auction.floorTicks; tick <= highest; tick += auction.incrementTicks) {
    if (fits(auction, priceTick, bids, tick)) best = tick;
  }
  return best;
}

describe("clearingTick", () => {
  it.each<[string, AuctionPricing, Bid[], bigint]>([
    ["the floor without bids", auctionOf({ floorTicks: 7n }), [], 7n],
    ["the floor, unmet", auctionOf({ floorTicks: 7n }), [{ ticks: 9n, amount: 69n }], 7n],
    ["the floor, just met", auctionOf({ floorTicks: 7n }), [{ ticks: 9n, amount: 70n }], 7n],
    ["a tick that nobody bid", auctionOf(), [{ ticks: 100n, amount: 420n }], 42n],
    ["the highest bid under more than enough demand", auctionOf(), [{ ticks: 100n, amount: 10_000n }], 100n],
    [
      "a tick between two bids",
      auctionOf(),
      [
        { ticks: 10n, amount: 500n },
        { ticks: 60n, amount: 250n },
      ],
      25n,
    ],
    [
      "the lower bid, where the higher alone affords less",
      auctionOf(),
      [
        { ticks: 10n, amount: 50n },
        { ticks: 60n, amount: 90n },
      ],
      10n,
    ],
    ["the grid tick below", auctionOf({ floorTicks: 5n, incrementTicks: 10n }), [{ ticks: 100n, amount: 420n }], 35n],
    ["the largest tick", auctionOf({ offeredAmount: 1n }), [{ ticks: UINT64_MAX, amount: UINT256_MAX }], UINT64_MAX],
    [
      "the largest tick of a grid that misses 2^64-1",
      auctionOf({ offeredAmount: 1n, floorTicks: UINT64_MAX - 5n, incrementTicks: 3n }),
      [{ ticks: UINT64_MAX, amount: UINT256_MAX }],
      UINT64_MAX - 2n,
    ],
    [
      "the floor, where the increment leads beyond 2^64-1",
      auctionOf({ offeredAmount: 1n, floorTicks: 1n, incrementTicks: UINT64_MAX }),
      [{ ticks: UINT64_MAX, amount: UINT256_MAX }],
      1n,
    ],
    [
      "the floor under a huge offer",
      auctionOf({ offeredAmount: UINT256_MAX }),
      [{ ticks: 9n, amount: UINT256_MAX - 1n }],
      0n,
    ],
  ])("is %s", (_, auction, bids, expected) => {
    expect(search(auction, oneToOne, bids)[0]).toBe(expected);
  });

  it("multiplies by the price tick's denominator and divides by its numerator", () => {
    const bids = [{ ticks: 1000n, amount: 400n }];
    expect(search(auctionOf(), { numerator: 3n, denominator: 2n }, bids)[0]).toBe(26n);
  });

  it("does not depend on the order of the children", () => {
    const bids = [1n, 5n, 70n, 300n, 70_000n].map((ticks) => ({ ticks, amount: 1000n }));
    const descent = clearingTick(auctionOf(), oneToOne, 8);
    let step = descent.next();
    while (!step.done) step = descent.next(childrenOf(8, bids, step.value).reverse());
    expect(step.value).toBe(search(auctionOf(), oneToOne, bids)[0]);
  });

  it("stops where all of a node's ticks round to one grid tick", () => {
    const bids = [{ ticks: 1000n, amount: 100n }];
    const [tick, requests] = search(auctionOf({ floorTicks: 2n ** 60n }), oneToOne, bids);
    expect(tick).toBe(2n ** 60n);
    expect(requests).toHaveLength(1);
  });

  it("stops once a division determines the tick", () => {
    const lowestOfLevel4 = [{ ticks: 2n ** 32n, amount: 10n * 2n ** 32n }];
    const [lowest, untilLevel4] = search(auctionOf(), oneToOne, lowestOfLevel4);
    expect(lowest).toBe(2n ** 32n);
    expect(untilLevel4).toHaveLength(4);
    const highestOfLevel1 = [
      { ticks: 5n, amount: 1n },
      { ticks: 2n ** 56n, amount: 10n * (2n ** 56n - 1n) },
    ];
    const [highest, untilLevel1] = search(auctionOf(), oneToOne, highestOfLevel1);
    expect(highest).toBe(2n ** 56n - 1n);
    expect(untilLevel1).toHaveLength(1);
  });

  it("goes down one path, a level a step", () => {
    const bids = [{ ticks: 2n ** 63n + 5n, amount: 10n * 2n ** 63n + 41n }];
    const [tick, requests] = search(auctionOf(), oneToOne, bids);
    expect(tick).toBe(2n ** 63n + 4n);
    expect(requests.map((request) => request.level)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe("clearingTick against the definition", () => {
  const small = (max: number) => fc.nat(max).map(BigInt);
  const positive = (max: bigint) => fc.bigInt({ min: 1n, max });

  it.each<TickWidth>([8, 20])("agrees with trying every tick, dense and small, in %i bytes", (width) => {
    const bids = fc.array(fc.record({ ticks: small(1200), amount: small(60_000).map((n) => n + 1n) }), {
      maxLength: 40,
    });
    const auction = fc.record({
      kind: fc.constant("auction" as const),
      offeredAmount: positive(2000n),
      floorTicks: small(900),
      incrementTicks: positive(300n),
    });
    const priceTick = fc.record({ numerator: positive(5n), denominator: positive(5n) });
    fc.assert(
      fc.property(auction, priceTick, bids, (auction, priceTick, bids) => {
        expect(search(auction, priceTick, bids, width)[0]).toBe(tryEveryTick(auction, priceTick, bids, 1300n));
      }),
      { numRuns: 500 },
    );
  });

  it.each<TickWidth>([8, 20])("fits at the answer and at no later grid tick, sparse and huge, in %i bytes", (width) => {
    const highest = highestTicks(width);
    const anyTick = fc.oneof(
      fc.bigInt({ min: 0n, max: highest }),
      fc.bigInt({ min: highest - 1000n, max: highest }),
      fc.bigInt({ min: 0n, max: 1000n }),
      fc
        .tuple(fc.nat(8 * width - 1), fc.integer({ min: -1, max: 1 }))
        .map(([bit, off]) => (1n << BigInt(bit)) + BigInt(off)),
    );
    const magnitude = (bits: number) => fc.nat(bits - 1).chain((bit) => positive(2n ** BigInt(bit + 1) - 1n));
    const bids = fc.array(fc.record({ ticks: anyTick, amount: magnitude(256) }), { maxLength: 30 });
    const auction = fc.record({
      kind: fc.constant("auction" as const),
      offeredAmount: magnitude(256),
      floorTicks: anyTick,
      incrementTicks: anyTick.map((ticks) => (ticks === 0n ? 1n : ticks)),
    });
    const priceTick = fc.record({ numerator: magnitude(256), denominator: magnitude(256) });
    fc.assert(
      fc.property(auction, priceTick, bids, (auction, priceTick, bids) => {
        const [tick, requests] = search(auction, priceTick, bids, width);
        const next = tick + auction.incrementTicks;
        expect((tick - auction.floorTicks) % auction.incrementTicks).toBe(0n);
        expect(tick >= auction.floorTicks && tick <= highest).toBe(true);
        expect(tick === auction.floorTicks || fits(auction, priceTick, bids, tick)).toBe(true);
        expect(next > highest || !fits(auction, priceTick, bids, next)).toBe(true);
        expect(requests.length).toBeLessThanOrEqual(width);
      }),
      { numRuns: 2000 },
    );
  });

  it("decides at the very tick that demand just affords", () => {
    const offered = 7n;
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: UINT64_MAX }), (ticks) => {
        const clears = (amount: bigint) =>
          search(auctionOf({ offeredAmount: offered }), oneToOne, [{ ticks, amount }])[0];
        expect(clears(ticks * offered)).toBe(ticks);
        expect(clears(ticks * offered - 1n)).toBe(ticks - 1n);
      }),
    );
  });
});

describe("outbiddingTick", () => {
  const outbidding = (auction: AuctionPricing, priceTick: Fraction, bids: readonly Bid[], width: TickWidth = 20) =>
    driven(outbiddingTick(auction, priceTick, width), bids, width)[0];

  /** Whether what is bid above a tick costs no more than the offer. */
  const isMet = (
    { offeredAmount }: AuctionPricing,
    { numerator, denominator }: Fraction,
    bids: readonly Bid[],
    p: bigint,
  ) => {
    const above = bids.reduce((sum, bid) => (bid.ticks > p ? sum + bid.amount : sum), 0n);
    return above * denominator <= p * numerator * offeredAmount;
  };

  it.each<[string, AuctionPricing, Bid[], bigint]>([
    ["the floor without bids", auctionOf({ floorTicks: 7n }), [], 7n],
    ["the floor where all bids are at it", auctionOf({ floorTicks: 7n }), [{ ticks: 7n, amount: 10n ** 9n }], 7n],
    ["0 where nothing is bid above a floor of 0", auctionOf(), [{ ticks: 0n, amount: 5n }], 0n],
    ["what demand pays exactly", auctionOf(), [{ ticks: 100n, amount: 420n }], 42n],
    ["the next one where it pays a little more", auctionOf(), [{ ticks: 100n, amount: 421n }], 43n],
    [
      "no more than the bid, which doesn't count at its own price",
      auctionOf(),
      [{ ticks: 100n, amount: 10_000n }],
      100n,
    ],
    [
      "the highest price of 160 bits",
      auctionOf({ offeredAmount: 1n }),
      [{ ticks: 2n ** 160n - 1n, amount: 2n ** 256n - 1n }],
      2n ** 160n - 1n,
    ],
    ["a floor above all bids", auctionOf({ floorTicks: 2n ** 159n }), [{ ticks: 9n, amount: UINT256_MAX }], 2n ** 159n],
  ])("is %s", (_, auction, bids, expected) => {
    expect(outbidding(auction, oneToOne, bids)).toBe(expected);
  });

  const positive = (max: bigint) => fc.bigInt({ min: 1n, max });

  it("is the first price that is met, of all that are tried one by one", () => {
    const small = (max: number) => fc.nat(max).map(BigInt);
    const bids = fc.array(fc.record({ ticks: small(1200), amount: small(60_000) }), { maxLength: 40 });
    const priceTick = fc.record({ numerator: positive(5n), denominator: positive(5n) });
    fc.assert(
      fc.property(positive(2000n), small(900), priceTick, bids, (offeredAmount, floorTicks, priceTick, bids) => {
        const auction = auctionOf({ offeredAmount, floorTicks });
        let p = floorTicks;
        while (!isMet(auction, priceTick, bids, p)) p += 1n;
        expect(outbidding(auction, priceTick, bids)).toBe(p);
        expect(outbidding(auction, priceTick, bids, 8)).toBe(p);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is met, and no price below is, from the floor on, for books of 160 bits", () => {
    const q96 = 2n ** 96n;
    const anyTick = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
      fc.bigInt({ min: 2n ** 160n - 1000n, max: 2n ** 160n - 1n }),
      fc.bigInt({ min: 0n, max: 1000n }),
      fc.bigInt({ min: 0n, max: 1000n }).map((price) => price * q96),
      fc.tuple(fc.nat(159), fc.integer({ min: -1, max: 1 })).map(([bit, off]) => (1n << BigInt(bit)) + BigInt(off)),
    );
    const magnitude = (bits: number) => fc.nat(bits - 1).chain((bit) => positive(2n ** BigInt(bit + 1) - 1n));
    const free = fc.record({ ticks: anyTick, amount: magnitude(256) });
    // Demand that the offer at some price costs exactly, or by one more or less.
    const atBoundary = fc.record({ ticks: anyTick, off: fc.integer({ min: -1, max: 1 }) });
    const bids = fc.array(free, { maxLength: 30 });
    fc.assert(
      fc.property(magnitude(100), anyTick, bids, atBoundary, fc.boolean(), (supply, floorTicks, free, edge, isQ96) => {
        const auction = auctionOf({ offeredAmount: supply, floorTicks });
        const priceTick = isQ96 ? { numerator: 1n, denominator: q96 } : oneToOne;
        const cost = (edge.ticks * supply) / priceTick.denominator + BigInt(edge.off);
        const bids = cost > 0n ? [...free, { ticks: 2n ** 160n - 1n, amount: cost }] : free;
        const p = outbidding(auction, priceTick, bids);
        expect(p >= floorTicks && p < 2n ** 160n).toBe(true);
        expect(isMet(auction, priceTick, bids, p)).toBe(true);
        // It is monotone: each price between the floor and p fails if the last one does.
        expect(p === floorTicks || !isMet(auction, priceTick, bids, p - 1n)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("is the higher of the floor, the highest tick whose demand exceeds the cost below it, and what is above it pays", () => {
    const small = (max: number) => fc.nat(max).map(BigInt);
    const bids = fc.array(fc.record({ ticks: small(60), amount: small(900).map((n) => n + 1n) }), { maxLength: 12 });
    fc.assert(
      fc.property(bids, positive(40n), small(50), (bids, supply, floorTicks) => {
        const from = (tick: bigint) => bids.reduce((sum, bid) => (bid.ticks >= tick ? sum + bid.amount : sum), 0n);
        const exceeding = bids.map(({ ticks }) => ticks).filter((tick) => from(tick) > supply * (tick - 1n));
        const t = exceeding.sort((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n;
        const paid = (from(t + 1n) + supply - 1n) / supply;
        const expected = [floorTicks, t, paid].reduce((highest, tick) => (tick > highest ? tick : highest));
        expect(outbidding(auctionOf({ offeredAmount: supply, floorTicks }), oneToOne, bids)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});
