import type { TickWidth } from "../../../common/sale/definition/tick-width.ts";
import { byTickDescending, TICK_RADIX, type TickNode, ticksOfNode } from "../../../common/sale/figures/tick-node.ts";

/** Requests the nodes of one level of the whole tree that hold active commitments: at most `limit`, in any order. */
export interface LevelRequest {
  /** 1 to the tree's width. */
  readonly level: number;
  readonly limit: number;
}

export interface CountedTickNode extends TickNode {
  /** The number of active commitments at all its ticks, at least 1. */
  readonly commitments: bigint;
}

/** The active commitments of a range of prices. Amounts are normalised. */
export interface PriceLevel {
  readonly lowestTick: bigint;
  readonly highestTick: bigint;
  readonly amount: bigint;
  readonly commitments: bigint;
  /** The active amount of this range and of all higher prices. */
  readonly cumulativeAmount: bigint;
}

type Range = Pick<CountedTickNode, "lowestTick" | "amount" | "commitments">;

/** A level with more than `maxLevels` divided by this many nodes is fine enough if the one below it has too many to read. */
const FINE_ENOUGH = 4;

/**
 * Makes the demand curve, by price descending: every price that was bid if there are at most `maxLevels` (at least 1), else
 * ranges of one power of two of ticks, the smallest that gives at most `maxLevels`. Ranges may be coarser only if there are
 * more prices than can be read at once; even then there are more than a quarter of `maxLevels`. The generator yields
 * requests for a level of the tick tree and is resumed with its nodes, at most `width` times.
 */
export function* priceLevels(
  width: TickWidth,
  maxLevels: number,
): Generator<LevelRequest, PriceLevel[], readonly CountedTickNode[]> {
  const readable = TICK_RADIX * Math.ceil(maxLevels / FINE_ENOUGH);
  let finest = yield { level: 1, limit: TICK_RADIX };
  let finestLevel = 1;
  for (let level = 2; level <= width && finest.length <= maxLevels; level++) {
    const finer = yield { level, limit: readable + 1 };
    if (finer.length > readable) break;
    [finest, finestLevel] = [finer, level];
  }
  return atMost(maxLevels, finest.toSorted(byTickDescending), ticksOfNode(width, finestLevel));
}

/** @param ticks of each range */
function atMost(maxLevels: number, descending: readonly Range[], ticks: bigint): PriceLevel[] {
  if (descending.length <= maxLevels) return accumulate(descending, ticks);
  return atMost(maxLevels, mergeRanges(descending, 2n * ticks), 2n * ticks);
}

function mergeRanges(descending: readonly Range[], ticks: bigint): Range[] {
  const ranges: Range[] = [];
  for (const { lowestTick: tick, amount, commitments } of descending) {
    const lowestTick = tick - (tick % ticks);
    const last = ranges.at(-1);
    if (last?.lowestTick !== lowestTick) ranges.push({ lowestTick, amount, commitments });
    else {
      const sums = { amount: last.amount + amount, commitments: last.commitments + commitments };
      ranges[ranges.length - 1] = { lowestTick, ...sums };
    }
  }
  return ranges;
}

function accumulate(descending: readonly Range[], ticks: bigint): PriceLevel[] {
  let cumulativeAmount = 0n;
  return descending.map(({ lowestTick, amount, commitments }) => {
    cumulativeAmount += amount;
    return { lowestTick, highestTick: lowestTick + ticks - 1n, amount, commitments, cumulativeAmount };
  });
}
