import { AbiWords } from "../../chains/evm/abi-words.ts";
import type { Checkpoint } from "./fills/checkpoint.ts";

const WORD = 32;
const WORDS_OF_CHECKPOINT = 3;
const WORDS_OF_TICK = 2;
const BLOCK_BITS = 64n;
const MPS_BITS = 32n;
const NO_TICK = 2n ** 256n - 1n;

/** How far an auction has come at a block. */
export interface CourseNow {
  /** The block of the newest checkpoint that is stored; 0 for none. */
  readonly storedBlock: bigint;
  /** The checkpoint that anybody could make in this block: from the end on, that of the end. The newest one where none can be made. */
  readonly made: Checkpoint;
  /** Whether enough is raised, by that checkpoint. */
  readonly isGraduated: boolean;
  /** Hash of the block's ancestor that was asked for: 64 lower-case hex digits, all 0 for one that it doesn't know. */
  readonly ancestor: string;
}

/** Some of an auction's checkpoints, newest first. */
export interface CheckpointPart {
  readonly checkpoints: readonly Checkpoint[];
  /** The block of the one that follows; 0 for none. */
  readonly next: bigint;
}

/** A price at which bids were made, times 2^96, with the sum of their effective demands, times 2^96. */
export interface Tick {
  readonly price: bigint;
  readonly demand: bigint;
}

/** Some of an auction's ticks, in ascending order. */
export interface TickPart {
  readonly ticks: readonly Tick[];
  /** The price of the one that follows; undefined if there is none. */
  readonly next: bigint | undefined;
}

/** Decodes the answer of contracts/AuctionCourseCode.sol. @throws RangeError for anything else */
export function decodeCourse(answer: string): CourseNow {
  const words = new AbiWords(answer);
  if (words.length !== 10 * WORD) throw new RangeError(`${words.length} bytes instead of ${10 * WORD}`);
  const made = {
    block: words.uint64(WORD),
    price: words.uint256(2 * WORD),
    raisedAtPrice: words.uint256(3 * WORD),
    mpsPerPrice: words.uint256(4 * WORD),
    mps: words.uint64(5 * WORD),
  };
  return { storedBlock: words.uint64(0), made, isGraduated: words.bool(8 * WORD), ancestor: words.bytes32(9 * WORD) };
}

/**
 * Decodes the answer of contracts/AuctionCheckpointsCode.sol.
 *
 * @param from the block of the first checkpoint
 * @param most the number of checkpoints that were asked for
 * @throws RangeError for other checkpoints, and for fewer of them although more follow
 */
export function decodeCheckpoints(answer: string, from: bigint, most: bigint): CheckpointPart {
  const words = new AbiWords(answer);
  const checkpoints = Array.from({ length: countOf(words, WORDS_OF_CHECKPOINT, most) }, (_, index) =>
    checkpointAt(words, WORD + index * WORDS_OF_CHECKPOINT * WORD),
  );
  const next = words.uint64(0);
  if (next !== 0n && checkpoints.length < Number(most)) throw new RangeError("checkpoints are missing");
  checkOrder([...checkpoints.map(({ block }) => -block), -next], -from);
  return { checkpoints, next };
}

/** Decodes the answer of contracts/AuctionTicksCode.sol, as `decodeCheckpoints` does. @param from the price of the first tick */
export function decodeTicks(answer: string, from: bigint, most: bigint): TickPart {
  const words = new AbiWords(answer);
  const ticks = Array.from({ length: countOf(words, WORDS_OF_TICK, most) }, (_, index) => {
    const at = WORD + index * WORDS_OF_TICK * WORD;
    return { price: words.uint256(at), demand: words.uint256(at + WORD) };
  });
  const next = words.uint256(0);
  if (next !== NO_TICK && ticks.length < Number(most)) throw new RangeError("ticks are missing");
  checkOrder([...ticks.map(({ price }) => price), next], from);
  return { ticks, next: next === NO_TICK ? undefined : next };
}

function checkpointAt(words: AbiWords, at: number): Checkpoint {
  const packed = words.uint256(at);
  return {
    block: BigInt.asUintN(Number(BLOCK_BITS), packed >> MPS_BITS),
    price: packed >> (BLOCK_BITS + MPS_BITS),
    raisedAtPrice: words.uint256(at + WORD),
    mpsPerPrice: words.uint256(at + 2 * WORD),
    mps: BigInt.asUintN(Number(MPS_BITS), packed),
  };
}

function countOf({ length }: AbiWords, wordsOfEach: number, most: bigint): number {
  const count = (length / WORD - 1) / wordsOfEach;
  if (Number.isInteger(count) && count >= 1 && count <= Number(most)) return count;
  throw new RangeError(`${length} bytes aren't those of up to ${most} entries`);
}

function checkOrder(ascending: readonly bigint[], first: bigint): void {
  const isInOrder = ascending.every((each, index) => {
    const last = ascending[index - 1];
    return last === undefined ? each === first : last < each;
  });
  if (!isInOrder) throw new RangeError("the list isn't in order");
}
