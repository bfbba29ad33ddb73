import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import {
  type AuctionTerms,
  checkpointsAt,
  demandOf,
  fillOf,
  issuedBefore,
  type ModelBid,
  type ModelCheckpoint,
  priceOfNow,
} from "../../../../test/support/models/continuous-auction-model.ts";
import { type AuctionCourse, type BidOutcome, type BidToFill, outcomeOf } from "./bid-outcome.ts";
import { CheckpointList } from "./checkpoint-list.ts";
import { finalCheckpoint, nextCheckpoint } from "./next-checkpoint.ts";

const Q96 = 2n ** 96n;
/** Auctions that are played, each with a few bids. */
const AUCTIONS = 1_000;

/** Bids of an auction, and the checkpoints that were made of it. */
interface Played {
  readonly terms: AuctionTerms;
  readonly bids: readonly ModelBid[];
  readonly checkpoints: readonly ModelCheckpoint[];
}

/** Plays an auction. With round numbers, bids often spend all that they have, in two parts. */
function playedAtRandom(random: Random): Played {
  const isRound = random.next() < 0.3;
  const tickSpacing = isRound ? Q96 : random.pick([Q96, Q96 / 7n, Q96 / 3n + 1n]);
  const supply = isRound ? 25_200n : random.pick([7n, 1_000n, 54_321n, 10n ** 20n + 7n]);
  const steps = isRound ? [{ mps: 1_000_000n, blocks: 10n }] : stepsAtRandom(random);
  const endBlock = 100n + steps.reduce((sum, { blocks }) => sum + blocks, 0n);
  const terms = { supply, floorPrice: 3n * tickSpacing, tickSpacing, startBlock: 100n, endBlock, steps };
  const unit = isRound ? 2_520n : 1n;
  const bids: ModelBid[] = [];
  const blocks = new Set<bigint>();
  for (let block = terms.startBlock; block < endBlock && issuedBefore(terms, block) < 10_000_000n; block += 1n) {
    const price = priceOfNow(terms, bids);
    if (random.next() < 0.2) blocks.add(block);
    for (let left = random.integer(-2, 2); left > 0; left -= 1) {
      blocks.add(block);
      bids.push(...bidsAtRandom(terms, bids, { block, price, unit }, random));
    }
  }
  return { terms, bids, checkpoints: checkpointsAt(terms, bids, [...blocks, endBlock]) };
}

/** Steps that add up to the whole supply; some issue nothing, first and last ones too. */
function stepsAtRandom(random: Random): AuctionTerms["steps"] {
  const idle = () => (random.next() < 0.5 ? [] : [{ mps: 0n, blocks: BigInt(random.integer(1, 2)) }]);
  const [even, blocks] = [BigInt(random.integer(1, 1_000_000)), BigInt(random.integer(1, 6))];
  const rest = 10_000_000n - even * blocks;
  return [...idle(), { mps: even, blocks }, ...idle(), { mps: rest, blocks: 1n }, ...idle()];
}

/** Makes two bids above the price of the block's checkpoint. With some of them, demand and supply meet exactly at their price. */
function bidsAtRandom(
  terms: AuctionTerms,
  bids: readonly ModelBid[],
  { block, price, unit }: { readonly block: bigint; readonly price: bigint; readonly unit: bigint },
  random: Random,
): readonly ModelBid[] {
  const { supply, tickSpacing } = terms;
  const maxPrice = (price / tickSpacing + BigInt(random.integer(1, 3))) * tickSpacing;
  const atLeast = bids.filter((bid) => bid.maxPrice >= maxPrice).map((bid) => demandOf(terms, bid));
  const missing = supply * maxPrice - atLeast.reduce((sum, demand) => sum + demand, 0n);
  const exact = (missing * (10_000_000n - issuedBefore(terms, block))) / 10_000_000n / Q96;
  const largest = (supply * price) / Q96 / unit / random.pick([1n, 10n]);
  const other = unit + unit * ((largest * BigInt(random.integer(0, 999))) / 1_000n);
  const both = random.next() < 0.3 && exact > 0n ? exact : other;
  const one = (both * BigInt(random.integer(0, 999))) / 1_000n;
  return [one, both - one].filter((amount) => amount > 0n).map((amount) => ({ block, maxPrice, amount }));
}

function asStored(terms: AuctionTerms, bid: ModelBid): BidToFill {
  const { block, maxPrice, amount } = bid;
  return { startBlock: block, startCumulativeMps: issuedBefore(terms, block), maxPrice, amount };
}

/** The outcome of a bid after a number of checkpoints, by default after all of them. */
function outcome(played: Played, bid: ModelBid, change: Partial<AuctionCourse> & { readonly count?: number } = {}) {
  const { terms, bids, checkpoints } = played;
  const { count = checkpoints.length, ...others } = change;
  const course = {
    version: "1.1.0" as const,
    checkpoints: new CheckpointList(checkpoints.slice(0, count)),
    isOver: count === checkpoints.length,
    isGraduated: true,
    demandAt: (price: bigint) => demandAt(terms, bids, price),
    ...others,
  };
  return outcomeOf(course, asStored(terms, bid));
}

function demandAt(terms: AuctionTerms, bids: readonly ModelBid[], price: bigint): bigint {
  return bids.filter(({ maxPrice }) => maxPrice === price).reduce((sum, bid) => sum + demandOf(terms, bid), 0n);
}

/** The outcome that the naive computation has at the end of an auction that graduates. */
function naiveOutcome({ terms, bids, checkpoints }: Played, bid: ModelBid, version: "1.0.0" | "1.1.0"): unknown {
  const { tokens, refund, hints } = fillOf(terms, bids, checkpoints, bid, version);
  if (refund === undefined) return { isCertain: true, exit: { never: "spends_more_than_its_amount" } };
  const exit =
    hints === undefined
      ? { call: "exitBid" }
      : {
          call: "exitPartiallyFilledBid",
          lastFullyFilledCheckpointBlock: hints[0],
          outbidBlock: hints[1],
        };
  return { fill: expect.objectContaining({ tokens, refund }), isCertain: true, exit };
}

/** Compares the outcome of a bid after some checkpoints, where the price of now is that of the next one, with that at the end. */
function compareEarly(played: Played, bid: ModelBid, count: number): void {
  const [newest, next] = played.checkpoints.slice(count - 1) as [ModelCheckpoint, ModelCheckpoint];
  const early = outcome(played, bid, { count, priceOfNow: next.price });
  const atEnd = outcome(played, bid);
  if (newest.price > bid.maxPrice) expect(early).toEqual(atEnd);
  else if (next.price > bid.maxPrice) expect(early).toEqual({ ...atEnd, exit: { waitFor: "checkpoint" } });
  else expect(early).toEqual({ isCertain: false, exit: { waitFor: "end" } });
}

/** An auction of ten blocks, a tenth of 1,000 tokens each, from block 100 on. */
function even(bids: readonly ModelBid[], blocks: readonly bigint[]): Played {
  const steps = [{ mps: 1_000_000n, blocks: 10n }];
  const terms = { supply: 1_000n, floorPrice: Q96, tickSpacing: Q96, startBlock: 100n, endBlock: 110n, steps };
  return { terms, bids, checkpoints: checkpointsAt(terms, bids, blocks) };
}

const bidOf = (block: bigint, price: bigint, amount: bigint): ModelBid => ({ block, maxPrice: price * Q96, amount });
const fillOfOutcome = ({ fill }: BidOutcome) => fill;

const random = new Random(1);
const PLAYED = Array.from({ length: AUCTIONS }, () => playedAtRandom(random));

describe("outcomeOf", () => {
  it("agrees with the naive computation, in each version", () => {
    const counts: Record<string, number> = {};
    for (const played of PLAYED) {
      for (const bid of played.bids) {
        for (const version of ["1.0.0", "1.1.0"] as const) {
          const actual = outcome(played, bid, { version });
          expect(actual).toEqual(naiveOutcome(played, bid, version));
          counts[kindOf(actual)] = (counts[kindOf(actual)] ?? 0) + 1;
        }
      }
    }
    expect(Object.keys(counts).sort()).toEqual(["above", "at the end", "locked", "outbid"]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
  });

  it("never changes for a bid once it is outbid, whatever comes after", () => {
    for (const played of PLAYED) {
      for (const bid of played.bids) {
        const first = 1 + played.checkpoints.findIndex(({ block }) => block === bid.block);
        for (let count = first; count < played.checkpoints.length; count += 1) compareEarly(played, bid, count);
      }
    }
  });

  it("gives all back where too little is raised", () => {
    const played = even([bidOf(100n, 2n, 300n), bidOf(100n, 9n, 5_000n)], [100n, 101n, 110n]);
    for (const bid of played.bids) {
      const fill = { spentQ96: 0n, tokens: 0n, refund: bid.amount };
      const all = { fill, isCertain: true, exit: { call: "exitBid" } };
      expect(outcome(played, bid, { isGraduated: false })).toEqual(all);
    }
  });

  it("depends on graduation before the end, where an outbid bid can't leave", () => {
    const played = even([bidOf(100n, 2n, 300n), bidOf(103n, 9n, 9_000n)], [100n, 103n, 104n, 110n]);
    const [low, high] = played.bids as [ModelBid, ModelBid];
    const fill = { spentQ96: 90n * Q96, tokens: 90n, refund: 210n };
    const waiting = { fill, isCertain: false, exit: { waitFor: "graduation" } };
    expect(outcome(played, low, { count: 3, isGraduated: false })).toEqual(waiting);
    expect(outcome(played, low, { count: 3, isGraduated: undefined })).toEqual(waiting);
    const exit = { call: "exitPartiallyFilledBid", lastFullyFilledCheckpointBlock: 103n, outbidBlock: 104n };
    expect(outcome(played, low, { count: 3 })).toEqual({ fill, isCertain: true, exit });
    // The call stays right, whether the auction graduates or not.
    expect(outcome(played, low, { isGraduated: undefined })).toEqual({ fill, isCertain: false, exit });
    expect(outcome(played, high, { count: 3, isGraduated: false })).toEqual({
      isCertain: false,
      exit: { waitFor: "end" },
    });
  });

  it("gives nothing to a bid that its own block has outbid", () => {
    const played = even([bidOf(102n, 8n, 5_000n), bidOf(102n, 2n, 10n)], [102n, 105n, 110n]);
    const exit = { call: "exitPartiallyFilledBid", lastFullyFilledCheckpointBlock: 102n, outbidBlock: 105n };
    const fill = { spentQ96: 0n, tokens: 0n, refund: 10n };
    expect(outcome(played, played.bids[1] as ModelBid)).toEqual({ fill, isCertain: true, exit });
  });

  it("never lets a bid leave in version 1.0.0 whose two parts are both rounded up, unless all is given back", () => {
    const played = even([bidOf(100n, 2n, 999n), bidOf(100n, 2n, 1n), bidOf(103n, 2n, 700n)], [100n, 103n, 110n]);
    const locked = played.bids[0] as ModelBid;
    const version = "1.0.0";
    expect(outcome(played, locked, { version })).toEqual({
      isCertain: true,
      exit: { never: "spends_more_than_its_amount" },
    });
    expect(outcome(played, locked, { version, isGraduated: undefined })).toEqual({
      isCertain: false,
      exit: { waitFor: "checkpoint" },
    });
    expect(fillOfOutcome(outcome(played, locked, { version, isGraduated: false }))?.refund).toBe(999n);
    expect(fillOfOutcome(outcome(played, locked))).toMatchObject({ spentQ96: 999n * Q96, refund: 0n });
  });

  it("rounds tokens down, as it does the currency that they are bought for", () => {
    const [start, reached] = [
      { block: 1n, price: 1n, raisedAtPrice: 0n, mpsPerPrice: 0n, mps: 0n },
      { block: 9n, price: 2n * Q96, raisedAtPrice: 30_000_000n * 2n * Q96 - 1n, mpsPerPrice: 0n, mps: 0n },
    ] as const;
    const course = {
      version: "1.1.0" as const,
      checkpoints: new CheckpointList([start, reached]),
      isOver: true,
      isGraduated: true,
      demandAt: () => 27n * Q96,
    };
    const bid = { startBlock: 1n, startCumulativeMps: 0n, maxPrice: 2n * Q96, amount: 9n };
    expect(outcomeOf(course, bid).fill).toEqual({ spentQ96: 2n * Q96, tokens: 0n, refund: 7n });
  });

  it("refuses a bid that contradicts the checkpoints", () => {
    const played = even([bidOf(100n, 2n, 300n), bidOf(101n, 9n, 5_000n)], [100n, 101n, 103n, 110n]);
    const contradicts = "contradicts the checkpoints";
    expect(() => outcome(played, bidOf(102n, 6n, 1n))).toThrow(contradicts);
    const maxPrice = played.checkpoints[2]?.price ?? 0n;
    for (const price of [maxPrice, 2n * Q96]) {
      expect(() => outcome(played, { block: 103n, maxPrice: price, amount: 1n })).toThrow(contradicts);
    }
    const others = { ...played, terms: { ...played.terms, startBlock: 99n } };
    expect(() => outcome(others, bidOf(101n, 2n, 300n))).toThrow(contradicts);
  });
});

describe("nextCheckpoint", () => {
  it("makes each checkpoint of the naive computation from the one before it", () => {
    for (const { terms, bids, checkpoints } of PLAYED) {
      for (const [at, { raised: _, cleared: __, ...expected }] of checkpoints.entries()) {
        const before = bids.filter(({ block }) => block < expected.block);
        const above = before.filter(({ maxPrice }) => maxPrice > expected.price);
        const demand = {
          price: expected.price,
          above: above.reduce((sum, bid) => sum + demandOf(terms, bid), 0n),
          at: demandAt(terms, before, expected.price),
        };
        const last = checkpoints[at - 1];
        expect(nextCheckpoint(last, expected, demand, terms.supply)).toEqual(expected);
        if (expected.block === terms.endBlock) {
          expect(finalCheckpoint(last, terms.endBlock, demand, terms.supply)).toEqual(expected);
        }
      }
    }
  });
});

describe("CheckpointList", () => {
  const one = { block: 5n, price: 10n, raisedAtPrice: 3n, mpsPerPrice: 4n, mps: 6n };
  const next = { ...one, block: 6n };

  it.each([{ block: 5n }, { price: 9n }, { raisedAtPrice: 2n }, { mpsPerPrice: 3n }, { mps: 5n }])(
    "refuses checkpoints of which one falls: %o",
    (change) => {
      const refused = { ...next, ...change };
      expect(() => new CheckpointList([one, refused])).toThrow("contradicts that of block 5");
      expect(() => new CheckpointList([one]).with(refused)).toThrow(RangeError);
    },
  );

  it("takes equal ones, and a sum at the price that begins anew with another price", () => {
    expect(new CheckpointList([one]).with(next).newest).toBe(next);
    expect(new CheckpointList([one, { ...next, price: 11n, raisedAtPrice: 0n }]).at(6n)?.price).toBe(11n);
    expect(new CheckpointList([]).newest).toBeUndefined();
  });
});

function kindOf({ fill, exit }: BidOutcome): string {
  if (fill === undefined) return "locked";
  if (!("call" in exit)) throw new Error("a bid can't leave");
  if (exit.call === "exitBid") return "above";
  return exit.outbidBlock === 0n ? "at the end" : "outbid";
}
