import { type TickWidth, WIDEST_TICKS } from "../definition/tick-width.ts";
import { type NodeKey, nodeKey } from "./tick-tree.ts";

/** The most children of a node. */
export const TICK_RADIX = 256;

/** A node of the tick tree with its active amount and demand. At level L it covers 256^(W−L) ticks. */
export interface TickNode {
  /** 0 (the root) to the tree's width W (one tick). */
  readonly level: number;
  /** A multiple of the number of ticks that the node covers. */
  readonly lowestTick: bigint;
  /** The active amount at all its ticks, normalised. */
  readonly amount: bigint;
  /** The active demand at all its ticks, in smallest payment units divided by the denominator of the price tick; absent for the amount. */
  readonly demand?: bigint | undefined;
}

/** The numbers of ticks that nodes cover, by the number of levels below them. */
const TICKS = Array.from({ length: WIDEST_TICKS + 1 }, (_, levels) => BigInt(TICK_RADIX) ** BigInt(levels));

/** Returns how many ticks a node of a level covers. */
export function ticksOfNode(width: TickWidth, level: number): bigint {
  return TICKS[width - level] ?? 1n;
}

/** Returns the last tick that a node covers. */
export function highestTick(width: TickWidth, { level, lowestTick }: Pick<TickNode, "level" | "lowestTick">): bigint {
  return lowestTick + ticksOfNode(width, level) - 1n;
}

/** Orders nodes of one level by tick descending. */
export function byTickDescending(a: Pick<TickNode, "lowestTick">, b: Pick<TickNode, "lowestTick">): number {
  if (a.lowestTick === b.lowestTick) return 0;
  return a.lowestTick > b.lowestTick ? -1 : 1;
}

/** Returns the demand of a node. @param denominator of the sale's price tick */
export function demandOf({ amount, demand }: Pick<TickNode, "amount" | "demand">, denominator: bigint): bigint {
  return demand ?? amount * denominator;
}

/**
 * Adds up the demand at a tick and at all above it.
 *
 * @param nodes the children of every node above the tick, from level 1 on
 * @param denominator of the sale's price tick
 */
export function demandFrom(width: TickWidth, tick: bigint, nodes: Iterable<TickNode>, denominator: bigint): bigint {
  let demand = 0n;
  for (const node of nodes) {
    const onPath = lowestAt(width, node.level, tick);
    const isAt = node.level === width && node.lowestTick === tick;
    if (isAt || node.lowestTick > onPath) demand += demandOf(node, denominator);
  }
  return demand;
}

/**
 * Returns the nodes that together cover every tick below one, each tick once: as ranges of keys with the first and the last one, a
 * range for each level at which there are any. So an auction without bids below its floor has none of them.
 */
export function rangesBelow(width: TickWidth, tick: bigint): readonly (readonly [NodeKey, NodeKey])[] {
  return levelsBelow(width, tick).map(({ level, first, onPath }) => [
    nodeKey(width, level, first),
    nodeKey(width, level, onPath - 1n),
  ]);
}

/** Adds up the amounts below a tick. @param nodes those of `rangesBelow`, and perhaps others, which don't count */
export function amountBelow(width: TickWidth, tick: bigint, nodes: Iterable<TickNode>): bigint {
  const levels = new Map(levelsBelow(width, tick).map((each) => [each.level, each]));
  let sum = 0n;
  for (const { level, lowestTick, amount } of nodes) {
    const range = levels.get(level);
    if (range !== undefined && lowestTick >= range.first && lowestTick < range.onPath) sum += amount;
  }
  return sum;
}

/** The levels at which the descent to a tick leaves nodes below it: the lowest tick of the first one, and that of the one on the path. */
function levelsBelow(width: TickWidth, tick: bigint) {
  const levels: { readonly level: number; readonly first: bigint; readonly onPath: bigint }[] = [];
  for (let level = 1; level <= width; level++) {
    const [first, onPath] = [lowestAt(width, level - 1, tick), lowestAt(width, level, tick)];
    if (first < onPath) levels.push({ level, first, onPath });
  }
  return levels;
}

function lowestAt(width: TickWidth, level: number, tick: bigint): bigint {
  return tick - (tick % ticksOfNode(width, level));
}
