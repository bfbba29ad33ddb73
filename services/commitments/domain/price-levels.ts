import { byTickDescending, highestTick, TICK_RADIX, type TickNode } from "./tick-node.ts";
import { LEAF_LEVEL, ROOT_LEVEL } from "./tick-tree.ts";

/** Asks for the nodes of a level that hold active commitments, of the whole tree: at most `limit`, in any order. */
export interface LevelRequest {
  /** 1 to 8. */
  readonly level: number;
  readonly limit: number;
}

export interface CountedTickNode extends TickNode {
  /** Active commitments at all its ticks, at least 1. */
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

/**
 * Makes the demand curve, by price descending: every price that was bid where there are at most `maxLevels` (at least
 * 1), else ranges of 256, 65,536, … ticks, the finest of which there are at most so many; one range of all ticks if
 * need be. The generator yields which level of the tick tree it wants and is resumed with its nodes, 8 times at most.
 */
export function* priceLevels(maxLevels: number): Generator<LevelRequest, PriceLevel[], readonly CountedTickNode[]> {
  const coarsest = yield { level: 1, limit: TICK_RADIX };
  if (coarsest.length > maxLevels) return accumulate([rootOf(coarsest)]);
  let finest = coarsest;
  for (let level = 2; level <= LEAF_LEVEL; level++) {
    const finer = yield { level, limit: maxLevels + 1 };
    if (finer.length > maxLevels) break;
    finest = finer;
  }
  return accumulate(finest.toSorted(byTickDescending));
}

function rootOf(children: readonly CountedTickNode[]): CountedTickNode {
  const sum = (value: (node: CountedTickNode) => bigint) => children.reduce((total, node) => total + value(node), 0n);
  return {
    level: ROOT_LEVEL,
    lowestTick: 0n,
    amount: sum((node) => node.amount),
    commitments: sum((node) => node.commitments),
  };
}

function accumulate(descending: readonly CountedTickNode[]): PriceLevel[] {
  let cumulativeAmount = 0n;
  return descending.map((node) => {
    cumulativeAmount += node.amount;
    const { lowestTick, amount, commitments } = node;
    return { lowestTick, highestTick: highestTick(node), amount, commitments, cumulativeAmount };
  });
}
