import { AbiWords } from "../../chains/evm/abi-words.ts";
import type { ContractCall } from "../../chains/evm/contract-call.ts";
import type { IndexRange } from "../contract-facts.ts";
import { auctionBidsCode } from "./auction-bids-code.ts";
import { auctionCheckpointsCode } from "./auction-checkpoints-code.ts";
import { auctionCourseCode } from "./auction-course-code.ts";
import { auctionTermsCode } from "./auction-terms-code.ts";
import { auctionTicksCode } from "./auction-ticks-code.ts";
import { type AuctionBid, decodeBids } from "./decode-bids.ts";
import {
  type CheckpointPart,
  type CourseNow,
  decodeCheckpoints,
  decodeCourse,
  decodeTicks,
  type TickPart,
} from "./decode-course.ts";
import { type AuctionTermsAt, decodeTerms } from "./decode-terms.ts";

const WORD_DIGITS = 64;

/** Most bids that a call can answer with: nodes take 24,576 bytes in place of a contract's code (EIP-170), and a bid has 96. */
export const MAX_BIDS = 255n;
/** The same of checkpoints, which also have 96 bytes each. */
const MAX_CHECKPOINTS = 255n;
/** The same of ticks, of 64 bytes each. */
const MAX_TICKS = 383n;

/** The number of bids. */
export const NEXT_BID_ID: ContractCall<bigint> = {
  name: "nextBidId",
  data: "0xdc269049",
  decode: (answer) => new AbiWords(answer).uint256(0),
};

/** The hook that every bid must pass: its lower-case address, or the zero address where there is none. */
export const VALIDATION_HOOK: ContractCall<string> = {
  name: "validationHook",
  data: "0x8134f027",
  decode: (answer) => new AbiWords(answer).address(0),
};

/** Returns the call that asks for all that an auction was made with. @param auction `0x` and 40 hex digits */
export function termsCall(auction: string): ContractCall<AuctionTermsAt> {
  return { name: "pointer", data: codeOf(auctionTermsCode, auction), isCode: true, decode: decodeTerms };
}

/**
 * Returns the call that asks for the bids of a range, at most `MAX_BIDS`.
 *
 * @param auction `0x` and 40 hex digits
 * @param newest number of the block at which it is asked
 */
export function bidsCall(
  auction: string,
  { from, to }: IndexRange,
  newest: bigint,
): ContractCall<readonly AuctionBid[]> {
  return {
    name: "bids",
    data: codeOf(auctionBidsCode, auction, from, to),
    isCode: true,
    heavy: to - from > 1n,
    decode: (answer) => decodeBids(answer, { from, to }, newest),
  };
}

/**
 * Returns the call that asks how far an auction has come.
 *
 * @param auction `0x` and 40 hex digits
 * @param ancestor the number of a block whose hash is asked for, too
 */
export function courseCall(auction: string, ancestor: bigint): ContractCall<CourseNow> {
  return { name: "checkpoint", data: codeOf(auctionCourseCode, auction, ancestor), isCode: true, decode: decodeCourse };
}

/** Returns the call that asks for checkpoints from that of a block backwards, as many as fit. */
export function checkpointsCall(auction: string, from: bigint): ContractCall<CheckpointPart> {
  return {
    name: "checkpoints",
    data: codeOf(auctionCheckpointsCode, auction, from, MAX_CHECKPOINTS),
    isCode: true,
    heavy: true,
    decode: (answer) => decodeCheckpoints(answer, from, MAX_CHECKPOINTS),
  };
}

/** Returns the call that asks for ticks from one upwards, as many as fit. @param from its price */
export function ticksCall(auction: string, from: bigint): ContractCall<TickPart> {
  return {
    name: "ticks",
    data: codeOf(auctionTicksCode, auction, from, MAX_TICKS),
    isCode: true,
    heavy: true,
    decode: (answer) => decodeTicks(answer, from, MAX_TICKS),
  };
}

/** Code with the arguments of its constructor. */
function codeOf({ bytecode }: { readonly bytecode: string }, auction: string, ...numbers: readonly bigint[]): string {
  const words = [auction.slice(2).toLowerCase(), ...numbers.map((number) => number.toString(16))];
  return `${bytecode}${words.map((word) => word.padStart(WORD_DIGITS, "0")).join("")}`;
}
