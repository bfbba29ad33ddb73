import type { Hex } from "viem";
import type { Tick } from "../../../common/contracts/cca/decode-course.ts";
import type { Checkpoint } from "../../../common/contracts/cca/fills/checkpoint.ts";

/** Answer of contracts/AuctionCourseCode.sol. */
export interface AnsweredCourse {
  readonly storedBlock: bigint;
  readonly made: Checkpoint;
  readonly isGraduated: boolean;
  /** 64 hex digits. */
  readonly ancestor: string;
}

/** Returns the answer of contracts/AuctionCourseCode.sol. */
export function courseAnswer({ storedBlock, made, isGraduated, ancestor }: AnsweredCourse): Hex {
  const { block, price, raisedAtPrice, mpsPerPrice, mps } = made;
  const checkpoint = [price, raisedAtPrice, mpsPerPrice, mps, 0n, 2n ** 64n - 1n];
  return wordsOf(storedBlock, block, ...checkpoint, isGraduated ? 1n : 0n, BigInt(`0x${ancestor}`));
}

/** Returns the answer of contracts/AuctionCheckpointsCode.sol. @param checkpoints newest first */
export function checkpointsAnswer(next: bigint, checkpoints: readonly Checkpoint[]): Hex {
  const words = checkpoints.map(({ block, price, raisedAtPrice, mpsPerPrice, mps }) => [
    (price << 96n) | (block << 32n) | mps,
    raisedAtPrice,
    mpsPerPrice,
  ]);
  return wordsOf(next, ...words.flat());
}

/** Returns the answer of contracts/AuctionTicksCode.sol. @param next 2^256 - 1 for none */
export function ticksAnswer(next: bigint, ticks: readonly Tick[]): Hex {
  return wordsOf(next, ...ticks.flatMap(({ price, demand }) => [price, demand]));
}

function wordsOf(...words: readonly bigint[]): Hex {
  return `0x${words.map((word) => word.toString(16).padStart(64, "0")).join("")}`;
}
