import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import type { BidExit, BidExits, BidStanding, LeavingBid } from "../bid-exits.ts";
import { AuctionCourseReader } from "./auction-course.ts";
import { readAuctionTerms } from "./auction-terms.ts";
import {
  type AuctionCourse,
  type BidOutcome,
  type BidToFill,
  type BidExit as Exit,
  outcomeOf,
} from "./fills/bid-outcome.ts";
import { ALL_MPS } from "./fills/checkpoint.ts";

const Q96_BITS = 96n;

/**
 * Reads how bids leave an auction, with all of its checkpoints.
 *
 * @returns undefined for an auction of more checkpoints or prices than are read
 * @throws the errors of `readAuctionTerms`
 */
export async function readAuctionExits(pinned: PinnedBlock, signal: AbortSignal): Promise<BidExits | undefined> {
  const terms = await readAuctionTerms(pinned, signal);
  const course = await new AuctionCourseReader(terms).read(pinned, signal);
  return course && exitsOf(course, pinned.block.number);
}

/** Returns the exits by the course of an auction up to a height. */
export function exitsOf(course: AuctionCourse, height: bigint): BidExits {
  return {
    height,
    of(bid, clearingTicks) {
      const found = bidOf(course, bid);
      if (found === undefined) return undefined;
      const now = clearingTicks === undefined ? course : { ...course, priceOfNow: clearingTicks };
      return exitOf(now, bid, outcomeOf(now, found));
    },
  };
}

/** Returns a bid with its start, which follows from its demand. Undefined if its first checkpoint isn't among those that were read. */
function bidOf({ checkpoints }: AuctionCourse, { priceTicks, amount, demand }: LeavingBid): BidToFill | undefined {
  const spread = (amount << Q96_BITS) * ALL_MPS;
  const rest = demand > 0n ? spread / demand : 0n;
  if (rest < 1n || rest > ALL_MPS || spread / rest !== demand) {
    throw new RangeError(`no bid of ${amount} has a demand of ${demand}`);
  }
  const startCumulativeMps = ALL_MPS - rest;
  // Where several have the same, the first one has the lowest price, and all have the same sums.
  const start = checkpoints.firstOf(startCumulativeMps);
  if (start === undefined) return undefined;
  return { startBlock: start.block, startCumulativeMps, maxPrice: priceTicks, amount };
}

function exitOf(course: AuctionCourse, { commitmentId, amount }: LeavingBid, { exit, fill }: BidOutcome): BidExit {
  const standing = standingOf(course, exit);
  const known = fill && { fill: { spent: amount - fill.refund, refunded: fill.refund, tokens: fill.tokens } };
  if (!("call" in exit) || standing === "awaits_checkpoint") return { standing, ...known };
  const id = BigInt(`0x${commitmentId}`);
  const hints = exit.call === "exitBid" ? [] : [exit.lastFullyFilledCheckpointBlock, exit.outbidBlock];
  return { standing, ...known, call: { name: exit.call, arguments: [id, ...hints] } };
}

const WAITING: Readonly<Record<Extract<Exit, { waitFor: string }>["waitFor"], BidStanding>> = {
  end: "may_get_more",
  graduation: "awaits_graduation",
  checkpoint: "awaits_checkpoint",
};

function standingOf({ isOver, isGraduated }: AuctionCourse, exit: Exit): BidStanding {
  if ("waitFor" in exit) return WAITING[exit.waitFor];
  if ("never" in exit) return "locked";
  // Whether it has raised enough shows with the checkpoint that somebody has to make.
  if (isOver && isGraduated === undefined) return "awaits_checkpoint";
  if (exit.call === "exitBid") return isGraduated ? "above_final_price" : "not_graduated";
  return exit.outbidBlock === 0n ? "at_final_price" : "outbid";
}
