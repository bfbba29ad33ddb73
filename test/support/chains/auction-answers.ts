import { type Address, encodeAbiParameters, encodePacked, type Hex, parseAbiParameters, zeroAddress } from "viem";
import { auctionBidsCode } from "../../../common/contracts/cca/auction-bids-code.ts";
import { NEXT_BID_ID } from "../../../common/contracts/cca/auction-calls.ts";
import { auctionCheckpointsCode } from "../../../common/contracts/cca/auction-checkpoints-code.ts";
import { auctionCourseCode } from "../../../common/contracts/cca/auction-course-code.ts";
import { auctionTermsCode } from "../../../common/contracts/cca/auction-terms-code.ts";
import { auctionTicksCode } from "../../../common/contracts/cca/auction-ticks-code.ts";
import type { Tick } from "../../../common/contracts/cca/decode-course.ts";
import type { Checkpoint } from "../../../common/contracts/cca/fills/checkpoint.ts";
import { checkpointsAnswer, courseAnswer, ticksAnswer } from "./auction-course-answers.ts";
import { type AuctionStep, encodedSteps, Q96 } from "./continuous-auction.ts";
import { CONTRACT, type FakeEvmChain } from "./evm-chain.ts";
import type { Interference, RpcRequest } from "./evm-node.ts";

const TERMS = parseAbiParameters([
  "(uint256 blockNumber, bool isSince1_1, bool awaitsTokens, address token, address currency, uint256 totalSupply, uint256 startBlock, uint256 endBlock, uint256 claimBlock, uint256 floorPrice, uint256 tickSpacing, address validationHook, bytes steps)",
]);

/** Answer of the code of calls about an auction. */
export interface AnsweredTerms {
  readonly blockNumber: bigint;
  readonly isSince1_1: boolean;
  readonly awaitsTokens: boolean;
  readonly token: Address;
  readonly currency: Address;
  readonly totalSupply: bigint;
  readonly startBlock: bigint;
  readonly endBlock: bigint;
  readonly claimBlock: bigint;
  readonly floorPrice: bigint;
  readonly tickSpacing: bigint;
  readonly validationHook: Address;
  /** A zero byte, and the steps. */
  readonly steps: Hex;
}

/** Returns the code of a schedule's account. */
export function scheduleCode(steps: readonly AuctionStep[]): Hex {
  return `0x00${encodedSteps(steps).slice(2)}`;
}

/** Returns the answer of contracts/AuctionTermsCode.sol: by default of an auction of 10 blocks, asked in its first one. */
export function termsAnswer(change: Partial<AnsweredTerms> = {}): Hex {
  const terms: AnsweredTerms = {
    blockNumber: 100n,
    isSince1_1: false,
    awaitsTokens: false,
    token: `0x${"70".repeat(20)}`,
    currency: zeroAddress,
    totalSupply: 1_000n,
    startBlock: 100n,
    endBlock: 110n,
    claimBlock: 115n,
    floorPrice: Q96,
    tickSpacing: Q96,
    validationHook: zeroAddress,
    steps: scheduleCode([{ mps: 1_000_000n, blocks: 10n }]),
    ...change,
  };
  return encodeAbiParameters(TERMS, [terms]);
}

/** A bid as a fake auction stores it. */
export interface AnsweredBid {
  readonly maxPrice: bigint;
  readonly amountQ96: bigint;
  readonly owner: Address;
  readonly startBlock: bigint;
  readonly startCumulativeMps: number;
}

/** Returns the answer of contracts/AuctionBidsCode.sol. @param count number of all bids */
export function bidsAnswer(count: bigint, bids: readonly AnsweredBid[]): Hex {
  const words = bids.map(({ maxPrice, amountQ96, owner, startBlock, startCumulativeMps }) =>
    encodePacked(
      ["uint256", "uint256", "address", "uint64", "uint32"],
      [maxPrice, amountQ96, owner, startBlock, startCumulativeMps],
    ).slice(2),
  );
  return `${encodePacked(["uint256"], [count])}${words.join("")}`;
}

/** An auction of a fake chain, whose bids are there from their start block on. */
export interface FakeAuction {
  readonly bids: readonly AnsweredBid[];
  readonly terms: Partial<AnsweredTerms>;
  /** Most bids that fit the node's limit of gas. */
  readonly maxBids?: number;
  /** Its checkpoints, ascending, the last one made by the call, and the demand of each price. */
  readonly course?: {
    readonly checkpoints: readonly Checkpoint[];
    readonly ticks: readonly Tick[];
    readonly isGraduated: boolean;
    readonly storedBlock: bigint;
  };
}

function answerCourse({ course }: FakeAuction, data: string, chain: FakeEvmChain): Interference | undefined {
  if (course === undefined) return undefined;
  const { checkpoints, ticks, isGraduated, storedBlock } = course;
  const made = checkpoints.at(-1);
  if (made !== undefined && data.startsWith(auctionCourseCode.bytecode)) {
    const ancestor = chain.at(BigInt(`0x${data.slice(-64)}`))?.hash ?? "0".repeat(64);
    return { kind: "result", result: courseAnswer({ storedBlock, made, isGraduated, ancestor }) };
  }
  if (data.startsWith(auctionTicksCode.bytecode))
    return { kind: "result", result: ticksAnswer(2n ** 256n - 1n, ticks) };
  if (!data.startsWith(auctionCheckpointsCode.bytecode)) return undefined;
  const stored = checkpoints.filter(({ block }) => block <= storedBlock).toReversed();
  return { kind: "result", result: checkpointsAnswer(0n, stored) };
}

/** Returns what a node answers to a call of the auction `CONTRACT`; undefined for any other request. */
export function answerAuction(
  auction: FakeAuction,
  { method, params }: RpcRequest,
  chain: FakeEvmChain,
): Interference | undefined {
  const { bids, terms, maxBids = Number.POSITIVE_INFINITY } = auction;
  if (method !== "eth_call") return undefined;
  const [{ to, data = "" }, at] = params as [{ to?: string; data?: string }, { blockHash?: string }];
  const block = chain.byHash(at?.blockHash?.slice(2) ?? "");
  if (block === undefined) return undefined;
  const present = bids.filter(({ startBlock }) => startBlock <= block.number);
  const count = BigInt(present.length);
  if (to === CONTRACT && data === NEXT_BID_ID.data) return { kind: "result", result: bidsAnswer(count, []) };
  if (to === undefined && data.startsWith(auctionTermsCode.bytecode)) {
    return { kind: "result", result: termsAnswer({ blockNumber: block.number, ...terms }) };
  }
  if (to !== undefined) return undefined;
  if (!data.startsWith(auctionBidsCode.bytecode)) return answerCourse(auction, data, chain);
  const [from = 0, end = 0] =
    data
      .slice(-128)
      .match(/.{64}/g)
      ?.map((word) => Number(`0x${word}`)) ?? [];
  if (end - from > maxBids) return { kind: "error", code: -32000, message: "out of gas" };
  if (end > present.length) return { kind: "error", code: 3, message: "execution reverted" };
  return { kind: "result", result: bidsAnswer(count, present.slice(from, end)) };
}
