import { ALL_MPS, type Checkpoint } from "./checkpoint.ts";
import type { CheckpointList } from "./checkpoint-list.ts";

const Q96_BITS = 96n;
/** A sum of ten-millionths by price is times 2^192. */
const PER_PRICE_BITS = 192n;

/** A bid, as far as its outcome depends on it. */
export interface BidToFill {
  readonly startBlock: bigint;
  /** Ten-millionths of the supply that were issued before that block: fewer than all. */
  readonly startCumulativeMps: bigint;
  /** Times 2^96. */
  readonly maxPrice: bigint;
  /** Smallest units of the currency. */
  readonly amount: bigint;
}

/** The course of an auction up to a block. */
export interface AuctionCourse {
  readonly version: "1.0.0" | "1.1.0";
  /** From the end on, the last one is that of the end, whether somebody has made it or not. */
  readonly checkpoints: CheckpointList;
  readonly isOver: boolean;
  /** Whether enough is raised for the sale to take place, by a checkpoint of this block; undefined if that isn't known. Once true, it stays. */
  readonly isGraduated: boolean | undefined;
  /** The price that a checkpoint made now would have; undefined if that isn't known. */
  readonly priceOfNow?: bigint;
  /** Returns the sum of the effective demands of all bids of a maximum price, times 2^96: the demand of its tick. */
  demandAt(maxPrice: bigint): bigint;
}

/** Payments and tokens of a bid that gets nothing more. */
export interface BidFill {
  /** Smallest units of the currency, times 2^96: at most the bid's amount. */
  readonly spentQ96: bigint;
  /** Smallest units of the token. */
  readonly tokens: bigint;
  /** Smallest units of the currency. */
  readonly refund: bigint;
}

/** The call by which a bid leaves, or why there is none yet, or never. */
export type BidExit =
  | { readonly call: "exitBid" }
  | {
      readonly call: "exitPartiallyFilledBid";
      readonly lastFullyFilledCheckpointBlock: bigint;
      readonly outbidBlock: bigint;
    }
  | { readonly waitFor: "end" | "graduation" | "checkpoint" }
  | { readonly never: "spends_more_than_its_amount" };

/** Outcome of a bid. */
export interface BidOutcome {
  /** Absent while the bid may get more, and for one that can never leave. */
  readonly fill?: BidFill;
  /** False while the bid may get more, and while it depends on whether the auction graduates. */
  readonly isCertain: boolean;
  readonly exit: BidExit;
}

/** Checkpoints at which something changed for a bid. */
interface Milestones {
  readonly start: Checkpoint;
  readonly lastFull: Checkpoint;
  readonly lastAtPrice: Checkpoint | undefined;
  readonly outbid: Checkpoint | undefined;
}

/**
 * Returns what a bid gets, in the contract's own rounding, and how it leaves. The fill of a bid that has left is the same.
 *
 * @throws RangeError if bid and checkpoints contradict each other
 */
export function outcomeOf(course: AuctionCourse, bid: BidToFill): BidOutcome {
  const { isOver, isGraduated, version } = course;
  const milestones = milestonesOf(course.checkpoints, bid);
  if (isOver && isGraduated === false) return refundedWhole(bid);
  if (!isOver && !isOutbid(course, bid)) return { isCertain: false, exit: { waitFor: "end" } };
  const { spentQ96, tokens } = filled(milestones, bid, course.demandAt(bid.maxPrice));
  const isCertain = isGraduated === true;
  const amountQ96 = bid.amount << Q96_BITS;
  // Version 1.0.0 subtracts what is spent from the amount, and so reverts.
  if (spentQ96 > amountQ96 && version === "1.0.0") {
    return { isCertain, exit: isCertain ? { never: "spends_more_than_its_amount" } : { waitFor: "checkpoint" } };
  }
  const spent = spentQ96 < amountQ96 ? spentQ96 : amountQ96;
  const fill = { spentQ96: spent, tokens, refund: (amountQ96 - spent) >> Q96_BITS };
  return { fill, isCertain, exit: exitOf(course, milestones) };
}

function refundedWhole({ amount }: BidToFill): BidOutcome {
  const fill = { spentQ96: 0n, tokens: 0n, refund: amount };
  return { fill, isCertain: true, exit: { call: "exitBid" } };
}

function isOutbid({ checkpoints, priceOfNow = 0n }: AuctionCourse, { maxPrice }: BidToFill): boolean {
  return priceOfNow > maxPrice || checkpoints.firstAbove(maxPrice) !== undefined;
}

/** An exit makes a checkpoint first, but the block of that one can't be named before it is mined. */
function exitOf({ isOver, isGraduated }: AuctionCourse, { lastFull, lastAtPrice, outbid }: Milestones): BidExit {
  if (!isOver && isGraduated !== true) return { waitFor: "graduation" };
  if (!isOver && outbid === undefined) return { waitFor: "checkpoint" };
  if (outbid === undefined && lastAtPrice === undefined) return { call: "exitBid" };
  const call = "exitPartiallyFilledBid";
  return { call, lastFullyFilledCheckpointBlock: lastFull.block, outbidBlock: outbid?.block ?? 0n };
}

function milestonesOf(
  checkpoints: CheckpointList,
  { startBlock, startCumulativeMps, maxPrice }: BidToFill,
): Milestones {
  const start = checkpoints.at(startBlock);
  const lastFull = checkpoints.lastBelow(maxPrice);
  if (start === undefined || start.mps !== startCumulativeMps || start.price >= maxPrice || lastFull === undefined) {
    throw new RangeError(`a bid of block ${startBlock} contradicts the checkpoints`);
  }
  return { start, lastFull, lastAtPrice: checkpoints.lastAt(maxPrice), outbid: checkpoints.firstAbove(maxPrice) };
}

/** The amount is spread over all that was still to be issued when the bid came. At its own price it has its share of what its tick has. */
function filled({ start, lastFull, lastAtPrice }: Milestones, bid: BidToFill, demandAtPrice: bigint) {
  const amountQ96 = bid.amount << Q96_BITS;
  const rest = ALL_MPS - bid.startCumulativeMps;
  const spentBelow = divideUp(amountQ96 * (lastFull.mps - start.mps), rest);
  const tokensBelow = (amountQ96 * (lastFull.mpsPerPrice - start.mpsPerPrice)) / (rest << PER_PRICE_BITS);
  if (lastAtPrice === undefined) return { spentQ96: spentBelow, tokens: tokensBelow };
  const share = amountQ96 * lastAtPrice.raisedAtPrice;
  const whole = demandAtPrice * rest;
  return { spentQ96: spentBelow + divideUp(share, whole), tokens: tokensBelow + share / whole / bid.maxPrice };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
