import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fraction } from "../../../common/sale/definition/fraction.ts";
import type { AuctionPricing } from "../../../common/sale/definition/sale.ts";
import { clearingTick } from "../../../common/sale/figures/clearing-price.ts";
import { type ClearingOutcome, positionEntry } from "../../../common/sale/figures/position.ts";
import { priceOfTicks } from "../../../common/sale/figures/price.ts";
import { levelOf, lowestTickOf, nodeKey, parentOf, TickChanges } from "../../../common/sale/figures/tick-tree.ts";
import {
  asMuchAgainAbove,
  bookOf,
  lowestPriceIn,
  type TickBid,
  ticksAtMost,
  whatIf,
} from "../../../common/sale/figures/what-if.ts";
import { priceLevels } from "./price-levels.ts";

const PUBLIC_LEVELS = 200;

interface Auction {
  readonly pricing: AuctionPricing;
  readonly priceTick: Fraction;
}

/** The nodes of the tree that the service stores of bids. */
function storedNodes(bids: readonly TickBid[]) {
  const changes = new TickChanges(true);
  for (const { ticks, amount } of bids) changes.add(0n, ticks, amount);
  return [...(changes.byClass().get(0n) ?? [])].map(([key, { amount, commitments }]) => ({
    ...{ key, amount, commitments },
    level: levelOf(key),
    lowestTick: lowestTickOf(key),
  }));
}

/** The service's clearing of bids: its search over the tree that it stores. */
function serverClearing({ pricing, priceTick }: Auction, bids: readonly TickBid[]): bigint {
  const nodes = storedNodes(bids);
  const search = clearingTick(pricing, priceTick);
  let step = search.next();
  while (step.done !== true) {
    const { level, lowestTick } = step.value;
    const parent = nodeKey(level - 1, lowestTick);
    step = search.next(nodes.filter((node) => node.level === level && parentOf(node.key) === parent));
  }
  return step.value;
}

/** The outcome that the service has of a bid among bids. */
function serverOutcome(auction: Auction, bids: readonly TickBid[], ticks: bigint): ClearingOutcome | undefined {
  const tick = serverClearing(auction, bids);
  const demand = bids.reduce((sum, bid) => (bid.ticks >= tick ? sum + bid.amount : sum), 0n);
  const facts = { definition: auction, active: [0n], clearing: { tick, demand } };
  return positionEntry({ record: { priceTicks: ticks }, countingClass: 0n }, facts).outcome;
}

/** The book of bids as a browser makes it from the public read. */
function publicBook({ pricing, priceTick }: Auction, bids: readonly TickBid[]) {
  const nodes = storedNodes(bids);
  const curve = priceLevels(PUBLIC_LEVELS);
  let step = curve.next();
  while (step.done !== true) {
    const { level, limit } = step.value;
    step = curve.next(nodes.filter((node) => node.level === level).slice(0, limit));
  }
  const named = <Name extends string>(name: Name, ticks: bigint) => {
    const { numerator, denominator } = priceOfTicks(ticks, priceTick);
    return { [`${name}Numerator`]: String(numerator), [`${name}Denominator`]: String(denominator) } as {
      readonly [Key in `${Name}Numerator` | `${Name}Denominator`]: string;
    };
  };
  const facts = {
    OfferedToken: { Amount: String(pricing.offeredAmount) },
    PriceTickNumerator: String(priceTick.numerator),
    PriceTickDenominator: String(priceTick.denominator),
    ...named("Floor", pricing.floorTicks),
    ...named("Increment", pricing.incrementTicks),
  };
  const levels = step.value.map(({ lowestTick, highestTick, amount }) => ({
    ...named("LowestPrice", lowestTick),
    ...named("HighestPrice", highestTick),
    Amount: String(amount),
  }));
  const book = bookOf(facts, levels);
  if (book === undefined) throw new Error("the public facts make no book");
  return book;
}

const positive = (max: bigint) => fc.bigInt({ min: 1n, max });
const auctionOf = (ticks: bigint): fc.Arbitrary<Auction> =>
  fc.record({
    pricing: fc.record({
      kind: fc.constant("auction" as const),
      offeredAmount: positive(2_000n),
      floorTicks: fc.bigInt({ min: 0n, max: ticks }),
      incrementTicks: positive(ticks / 20n + 1n),
    }),
    priceTick: fc.record({ numerator: positive(5n), denominator: positive(5n) }),
  });
const bidOf = (ticks: bigint): fc.Arbitrary<TickBid> =>
  fc.record({ ticks: fc.bigInt({ min: 0n, max: ticks }), amount: positive(60_000n) });
const FEW = 1_200n;
const MANY = 2n ** 40n;

describe("what would come of a bid", () => {
  it("is what the service says once it is really there, for 1,000 books of single prices", () => {
    fc.assert(
      fc.property(auctionOf(FEW), fc.array(bidOf(FEW), { maxLength: 60 }), bidOf(FEW), (auction, bids, bid) => {
        const all = [...bids, bid];
        const { clearing, outcomes } = whatIf(publicBook(auction, bids), bid);
        const real = serverClearing(auction, all);
        expect(clearing).toEqual({ least: real, most: real });
        expect(outcomes).toEqual([serverOutcome(auction, all, bid.ticks)]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("has the service's answer within its bounds where prices share levels, also if as much again is bid above", () => {
    const bids = fc.array(bidOf(MANY), { minLength: 201, maxLength: 260 });
    fc.assert(
      fc.property(auctionOf(MANY), bids, bidOf(MANY), fc.boolean(), (auction, bids, bid, isMore) => {
        const book = publicBook(auction, bids);
        const others = isMore ? [asMuchAgainAbove(book, bid.ticks)] : [];
        const all = [...bids, bid, ...others];
        const { clearing, outcomes, tokens } = whatIf(book, bid, others);
        const real = serverClearing(auction, all);
        expect(clearing.least <= real && real <= clearing.most).toBe(true);
        const outcome = serverOutcome(auction, all, bid.ticks);
        if (outcomes.length === 1 && outcomes[0] !== "at_margin") expect(outcome).toBe(outcomes[0]);
        const { numerator, denominator } = priceOfTicks(real, auction.priceTick);
        const paid = numerator === 0n ? 0n : (bid.amount * denominator) / numerator;
        if (outcome === "in") expect(tokens.least <= paid && paid <= tokens.most).toBe(true);
        if (outcome === "out" || outcome === "below_floor") expect(tokens.least).toBe(0n);
      }),
      { numRuns: 100 },
    );
  });

  it("has tokens that all fit into the offer at the least, for 1,000 books", () => {
    fc.assert(
      fc.property(auctionOf(FEW), fc.array(bidOf(FEW), { minLength: 1, maxLength: 12 }), (auction, bids) => {
        const least = bids.map((bid, index) => whatIf(publicBook(auction, bids.toSpliced(index, 1)), bid).tokens.least);
        expect(least.reduce((sum, tokens) => sum + tokens, 0n) <= auction.pricing.offeredAmount).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("isn't said where a fact isn't known", () => {
    expect(bookOf({ OfferedToken: { Amount: "1" } }, [])).toBeUndefined();
    const tick = { PriceTickNumerator: "1", PriceTickDenominator: "1" };
    const grid = { FloorNumerator: "1", FloorDenominator: "1", IncrementNumerator: "1", IncrementDenominator: "1" };
    expect(bookOf({ OfferedToken: {}, ...tick, ...grid }, [])).toBeUndefined();
    expect(bookOf({ OfferedToken: { Amount: "1" }, ...tick, ...grid, IncrementDenominator: "2" }, [])).toBeUndefined();
    expect(bookOf({ OfferedToken: { Amount: "1" }, ...tick, ...grid }, [])).toBeDefined();
  });
});

describe("the lowest price that would be in", () => {
  it("is in, and no lower price of the grid is, for 1,000 books", () => {
    fc.assert(
      fc.property(auctionOf(FEW), fc.array(bidOf(FEW), { minLength: 1, maxLength: 30 }), (auction, bids) => {
        const [own, others] = [bids.slice(0, 2), bids.slice(2)];
        const lowest = lowestPriceIn(publicBook(auction, bids), own);
        const isIn = (ticks: bigint) =>
          serverOutcome(auction, [...others, ...own.map(({ amount }) => ({ ticks, amount }))], ticks) === "in";
        const { least = -1n, most = -1n } = lowest ?? {};
        expect(least).toBe(most);
        expect(isIn(most)).toBe(true);
        const below = most - auction.pricing.incrementTicks;
        expect(below < auction.pricing.floorTicks || !isIn(below)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("isn't said of bids that the book doesn't have", () => {
    const auction: Auction = {
      pricing: { kind: "auction", offeredAmount: 10n, floorTicks: 1n, incrementTicks: 1n },
      priceTick: { numerator: 1n, denominator: 1n },
    };
    const book = publicBook(auction, [{ ticks: 5n, amount: 10n }]);
    expect(lowestPriceIn(book, [{ ticks: 5n, amount: 11n }])).toBeUndefined();
    expect(lowestPriceIn(book, [{ ticks: 4n, amount: 1n }])).toBeUndefined();
  });
});

it("a price is rounded down to one that a bid can have", () => {
  expect(ticksAtMost({ numerator: 7n, denominator: 2n }, { numerator: 1n, denominator: 1n })).toBe(3n);
  expect(ticksAtMost({ numerator: 6n, denominator: 2n }, { numerator: 3n, denominator: 1n })).toBe(1n);
});
