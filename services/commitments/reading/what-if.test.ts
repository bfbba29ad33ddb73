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
  type Book,
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
  const changes = new TickChanges(8, true);
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
  const search = clearingTick(pricing, priceTick, 8);
  let step = search.next();
  while (step.done !== true) {
    const { level, lowestTick } = step.value;
    const parent = nodeKey(8, level - 1, lowestTick);
    step = search.next(nodes.filter((node) => node.level === level && parentOf(node.key) === parent));
  }
  return step.value;
}

/** The outcome that the service has of a bid among bids. */
function serverOutcome(auction: Auction, bids: readonly TickBid[], ticks: bigint): ClearingOutcome | undefined {
  const tick = serverClearing(auction, bids);
  const demand = demandOf(bids, tick) * auction.priceTick.denominator;
  const facts = { definition: auction, active: [0n], clearing: { tick, demand } };
  return positionEntry({ record: { priceTicks: ticks }, countingClass: 0n }, facts).outcome;
}

/** The book of bids as a browser makes it from the public read. */
function publicBook({ pricing, priceTick }: Auction, bids: readonly TickBid[]) {
  const nodes = storedNodes(bids);
  const curve = priceLevels(8, PUBLIC_LEVELS);
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

function demandOf(bids: readonly TickBid[], ticks: bigint): bigint {
  return bids.reduce((sum, bid) => (bid.ticks >= ticks ? sum + bid.amount : sum), 0n);
}

/** The clearing of bids by trying each price of the grid: for small prices. */
function triedClearing({ pricing, priceTick }: Auction, bids: readonly TickBid[]): bigint {
  let found = pricing.floorTicks;
  for (let ticks = pricing.floorTicks; bids.some((bid) => bid.ticks >= ticks); ticks += pricing.incrementTicks) {
    const cost = ticks * priceTick.numerator * pricing.offeredAmount;
    if (demandOf(bids, ticks) * priceTick.denominator >= cost) found = ticks;
  }
  return found;
}

/** The tokens that a contract gives to a bid among bids, which shares what it can't serve in full, in proportion to amounts. */
function allocated(auction: Auction, bids: readonly TickBid[], { ticks, amount }: TickBid): bigint {
  const { offeredAmount, floorTicks } = auction.pricing;
  const clearing = triedClearing(auction, bids);
  const { numerator, denominator } = priceOfTicks(clearing, auction.priceTick);
  if (ticks < floorTicks || ticks < clearing || numerator === 0n) return 0n;
  const buys = (paid: bigint) => (paid * denominator) / numerator;
  const above = demandOf(bids, clearing + 1n);
  const at = demandOf(bids, clearing) - above;
  const [demand, offer] = ticks > clearing ? [above, offeredAmount] : [at, offeredAmount - buys(above)];
  const share = offer < 0n ? 0n : (amount * offer) / demand;
  return share < buys(amount) ? share : buys(amount);
}

/** The book of bids whose prices share levels of a width. */
function bandedBook({ pricing, priceTick }: Auction, bids: readonly TickBid[], width: bigint): Book {
  const amounts = new Map<bigint, bigint>();
  for (const { ticks, amount } of bids) {
    const lowest = ticks - (ticks % width);
    amounts.set(lowest, (amounts.get(lowest) ?? 0n) + amount);
  }
  const levels = [...amounts].map(([lowest, amount]) => ({
    ...{ lowestTick: lowest, highestTick: lowest + width - 1n },
    amount,
  }));
  return { width: 8, pricing, priceTick, levels };
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
/** Auctions and bids so small that prices, shares of the offer and remainders meet often. */
const smallAuction: fc.Arbitrary<Auction> = fc.record({
  pricing: fc.record({
    ...{ kind: fc.constant("auction" as const), offeredAmount: positive(80n) },
    ...{ floorTicks: fc.bigInt({ min: 0n, max: 12n }), incrementTicks: positive(6n) },
  }),
  priceTick: fc.record({ numerator: positive(2n), denominator: positive(2n) }),
});
const smallBid: fc.Arbitrary<TickBid> = fc.record({ ticks: fc.bigInt({ min: 0n, max: 40n }), amount: positive(300n) });
const smallBids = fc.array(smallBid, { minLength: 1, maxLength: 8 });
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
        const most = paid < auction.pricing.offeredAmount ? paid : auction.pricing.offeredAmount;
        if (outcome === "in") expect(tokens.least <= most && most <= tokens.most).toBe(true);
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

  it.each([1, 3, 8])(
    "has what a contract gives within its bounds, for 1,500 small books in levels of %i prices",
    (width) => {
      fc.assert(
        fc.property(smallAuction, smallBids, smallBid, fc.boolean(), (auction, bids, bid, isMore) => {
          const book = bandedBook(auction, bids, BigInt(width));
          const others = isMore ? [asMuchAgainAbove(book, bid.ticks)] : [];
          const all = [...bids, bid, ...others];
          const { clearing, outcomes, tokens } = whatIf(book, bid, others);
          const [real, given] = [triedClearing(auction, all), allocated(auction, all, bid)];
          expect(clearing.least <= real && real <= clearing.most).toBe(true);
          expect(tokens.least <= given && given <= tokens.most).toBe(true);
          expect(tokens.most <= auction.pricing.offeredAmount).toBe(true);
          // The bound is no looser than it has to be where each price is known.
          if (width === 1 && outcomes[0] === "in") expect(tokens.least).toBe(given);
        }),
        { numRuns: 1_500 },
      );
    },
  );

  it("never has more tokens than are offered, where the grid leaves more above the price than can be bought", () => {
    const auction: Auction = {
      pricing: { kind: "auction", offeredAmount: 26n, floorTicks: 5n, incrementTicks: 5n },
      priceTick: { numerator: 1n, denominator: 1n },
    };
    const book = publicBook(auction, [{ ticks: 7n, amount: 130n }]);
    expect(whatIf(book, { ticks: 40n, amount: 183n }).tokens).toEqual({ least: 15n, most: 26n });
  });

  it("has a share of the offer at the least that no book between the levels' lowest and highest prices goes below", () => {
    const pricing = { kind: "auction" as const, offeredAmount: 58n, floorTicks: 6n, incrementTicks: 3n };
    const levels = [
      { lowestTick: 8n, highestTick: 13n, amount: 546n },
      { lowestTick: 3n, highestTick: 7n, amount: 272n },
    ];
    const auction: Auction = { pricing, priceTick: { numerator: 1n, denominator: 1n } };
    const bid = { ticks: 24n, amount: 23n };
    const real = [
      [120n, 7n],
      [152n, 6n],
      [81n, 13n],
      [253n, 8n],
      [212n, 10n],
    ].map(([amount = 0n, ticks = 0n]) => ({ ticks, amount }));
    expect(allocated(auction, [...real, bid], bid)).toBe(1n);
    expect(whatIf({ ...auction, width: 8, levels }, bid).tokens).toEqual({ least: 1n, most: 3n });
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

  it("is within its bounds where prices share levels, for 1,500 small books", () => {
    fc.assert(
      fc.property(smallAuction, smallBids, fc.bigInt({ min: 2n, max: 8n }), (auction, bids, width) => {
        const [own, ...others] = bids as [TickBid, ...TickBid[]];
        const { least, most } = lowestPriceIn(bandedBook(auction, bids, width), [own]) ?? { least: -1n, most: -1n };
        const isIn = (ticks: bigint) => {
          const all = [...others, { ticks, amount: own.amount }];
          const clearing = triedClearing(auction, all);
          const { numerator, denominator } = priceOfTicks(clearing, auction.priceTick);
          const isMore = demandOf(all, clearing) * denominator > numerator * auction.pricing.offeredAmount;
          return ticks > clearing || (ticks === clearing && !isMore);
        };
        let lowest = auction.pricing.floorTicks;
        while (!isIn(lowest)) lowest += auction.pricing.incrementTicks;
        expect(least <= lowest && lowest <= most).toBe(true);
      }),
      { numRuns: 1_500 },
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

it("a bid in a sale with prices of 160 bits can have any of them, and clears it as the sale does", () => {
  const q96 = 2n ** 96n;
  const facts = {
    OfferedToken: { Amount: "1000" },
    ...{
      FloorNumerator: "1",
      FloorDenominator: String(q96),
      IncrementNumerator: "1",
      IncrementDenominator: String(q96),
    },
    ...{ PriceTickNumerator: "1", PriceTickDenominator: String(q96), WidePrices: true },
  };
  const price = { LowestPriceNumerator: String(3n * q96 + 5n), LowestPriceDenominator: String(q96) };
  const highest = { HighestPriceNumerator: price.LowestPriceNumerator, HighestPriceDenominator: String(q96) };
  const book = bookOf(facts, [{ ...price, ...highest, Amount: "4000" }]);
  if (book === undefined) throw new Error("the public facts make no book");
  const bid = { ticks: 2n ** 160n - 1n, amount: 1n };
  expect(whatIf(book, bid)).toMatchObject({
    clearing: { least: 3n * q96 + 5n, most: 3n * q96 + 5n },
    outcomes: ["in"],
  });
  expect(asMuchAgainAbove(book, bid.ticks).ticks).toBe(2n ** 160n - 1n);
});
