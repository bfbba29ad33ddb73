import { AbiWords } from "../../chains/evm/abi-words.ts";
import type { StatedTerms } from "../contract-facts.ts";
import { ALL_MPS } from "./fills/checkpoint.ts";

const WORD = 32;
/** A step of the schedule: 3 bytes of mps and 5 bytes of a number of blocks. */
const STEP = 8;
const STEP_BLOCKS_BITS = 40n;

/** A part of an auction's schedule. */
export interface AuctionStep {
  /** Ten-millionths of the supply that each block issues; may be 0. */
  readonly mps: bigint;
  readonly blocks: bigint;
}

/** All that an auction was made with and says. */
export interface AuctionTerms extends StatedTerms {
  readonly version: "1.0.0" | "1.1.0";
  /** From `startBlock` to `endBlock`; together they issue the whole supply. */
  readonly steps: readonly AuctionStep[];
}

/** The terms of an auction, with what holds at the block at which it was asked. */
export interface AuctionTermsAt {
  readonly terms: AuctionTerms;
  /** The block's number as contracts see it. On some chains that is the number of another chain's block. */
  readonly ownBlockNumber: bigint;
  /** Whether it should take bids, but its tokens haven't arrived. */
  readonly awaitsTokens: boolean;
}

/**
 * Decodes the answer of contracts/AuctionTermsCode.sol.
 *
 * @throws RangeError for anything else, and for terms that no auction has.
 */
export function decodeTerms(answer: string): AuctionTermsAt {
  const words = new AbiWords(answer);
  const base = words.size(0);
  const at = (index: number) => base + index * WORD;
  const [startBlock, endBlock, claimBlock] = [words.uint64(at(6)), words.uint64(at(7)), words.uint64(at(8))];
  return {
    ownBlockNumber: words.uint64(at(0)),
    awaitsTokens: words.bool(at(2)),
    terms: {
      version: words.bool(at(1)) ? "1.1.0" : "1.0.0",
      token: words.address(at(3)),
      currency: words.address(at(4)),
      totalSupply: words.uint256(at(5)),
      startBlock,
      endBlock,
      claimBlock,
      floorPrice: words.uint256(at(9)),
      tickSpacing: words.uint256(at(10)),
      validationHook: words.address(at(11)),
      steps: stepsOf(words, base + words.size(at(12)), endBlock - startBlock),
    },
  };
}

/** @param blocks the blocks of all steps together */
function stepsOf(words: AbiWords, at: number, blocks: bigint): readonly AuctionStep[] {
  const length = words.size(at);
  const code = words.bytes(at + WORD, length);
  if (code[0] !== 0 || (length - 1) % STEP !== 0) throw new RangeError("the schedule isn't a zero byte and steps of 8");
  const view = new DataView(code.buffer);
  const steps = Array.from({ length: (length - 1) / STEP }, (_, index) => {
    const step = view.getBigUint64(1 + index * STEP);
    return { mps: step >> STEP_BLOCKS_BITS, blocks: BigInt.asUintN(Number(STEP_BLOCKS_BITS), step) };
  });
  const passed = steps.reduce((sum, step) => sum + step.blocks, 0n);
  const issued = steps.reduce((sum, step) => sum + step.mps * step.blocks, 0n);
  if (passed === blocks && issued === ALL_MPS) return steps;
  throw new RangeError(`the schedule issues ${issued} of ${ALL_MPS} in ${passed} of ${blocks} blocks`);
}
