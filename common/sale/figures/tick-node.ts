import { LEAF_LEVEL } from "./tick-tree.ts";

/** The most children of a node. */
export const TICK_RADIX = 256;

/** A node of the tick tree with its active amount. At level L it covers 256^(8−L) ticks. */
export interface TickNode {
  /** 0 (the root) to 8 (one tick). */
  readonly level: number;
  /** uint64; a multiple of the number of ticks that the node covers. */
  readonly lowestTick: bigint;
  /** The active amount at all its ticks, normalised. */
  readonly amount: bigint;
}

/** The distance from the first tick that a node covers to its last, by level. */
const REACH = Array.from(
  { length: LEAF_LEVEL + 1 },
  (_, level) => BigInt(TICK_RADIX) ** BigInt(LEAF_LEVEL - level) - 1n,
);

/** Returns the last tick that a node covers. */
export function highestTick({ level, lowestTick }: Pick<TickNode, "level" | "lowestTick">): bigint {
  return lowestTick + (REACH[level] ?? 0n);
}

/** Orders nodes of one level by tick descending. */
export function byTickDescending(a: Pick<TickNode, "lowestTick">, b: Pick<TickNode, "lowestTick">): number {
  if (a.lowestTick === b.lowestTick) return 0;
  return a.lowestTick > b.lowestTick ? -1 : 1;
}

/**
 * Adds up the amounts at a tick and at all above it.
 *
 * @param nodes the children of every node above the tick, levels 1 to 8
 */
export function demandFrom(tick: bigint, nodes: Iterable<TickNode>): bigint {
  let demand = 0n;
  for (const { level, lowestTick, amount } of nodes) {
    const onPath = tick - (tick % ((REACH[level] ?? 0n) + 1n));
    if (lowestTick > onPath || (level === LEAF_LEVEL && lowestTick === tick)) demand += amount;
  }
  return demand;
}
