import { LEAF_LEVEL, type NodeKey, nodeKey } from "./tick-tree.ts";

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
    const onPath = lowestAt(level, tick);
    if (lowestTick > onPath || (level === LEAF_LEVEL && lowestTick === tick)) demand += amount;
  }
  return demand;
}

/**
 * Returns the nodes that together cover every tick below one, each tick once: as ranges of keys with the first and the last one, a
 * range for each level at which there are any. So an auction without bids below its floor has none of them.
 */
export function rangesBelow(tick: bigint): readonly (readonly [NodeKey, NodeKey])[] {
  return levelsBelow(tick).map(({ level, first, onPath }) => [nodeKey(level, first), nodeKey(level, onPath - 1n)]);
}

/** Adds up the amounts below a tick. @param nodes those of `rangesBelow`, and perhaps others, which don't count */
export function amountBelow(tick: bigint, nodes: Iterable<TickNode>): bigint {
  const levels = new Map(levelsBelow(tick).map((each) => [each.level, each]));
  let sum = 0n;
  for (const { level, lowestTick, amount } of nodes) {
    const range = levels.get(level);
    if (range !== undefined && lowestTick >= range.first && lowestTick < range.onPath) sum += amount;
  }
  return sum;
}

/** The levels at which the descent to a tick leaves nodes below it: the lowest tick of the first one, and that of the one on the path. */
function levelsBelow(tick: bigint) {
  const levels: { readonly level: number; readonly first: bigint; readonly onPath: bigint }[] = [];
  for (let level = 1; level <= LEAF_LEVEL; level++) {
    const [first, onPath] = [lowestAt(level - 1, tick), lowestAt(level, tick)];
    if (first < onPath) levels.push({ level, first, onPath });
  }
  return levels;
}

function lowestAt(level: number, tick: bigint): bigint {
  return tick - (tick % ((REACH[level] ?? 0n) + 1n));
}
