import type { TickWidth } from "../definition/tick-width.ts";
import type { ChildrenRequest, TickSearch } from "./clearing-price.ts";
import { TICK_RADIX, type TickNode, ticksOfNode } from "./tick-node.ts";
import { type NodeSum, plus } from "./tick-tree.ts";

/** Returns the tick that a search finds among bids in memory. @param bids their sums by tick */
export function tickOfBids(search: TickSearch, width: TickWidth, bids: ReadonlyMap<bigint, NodeSum>): bigint {
  let step = search.next();
  while (!step.done) step = search.next(childrenOf(width, bids, step.value));
  return step.value;
}

/** The children of a node of the tick tree, added up from what is bid by tick. */
function childrenOf(
  width: TickWidth,
  bids: ReadonlyMap<bigint, NodeSum>,
  { level, lowestTick }: ChildrenRequest,
): readonly TickNode[] {
  const ticks = ticksOfNode(width, level);
  const end = lowestTick + ticks * BigInt(TICK_RADIX);
  const sums = new Map<bigint, NodeSum>();
  for (const [tick, sum] of bids) {
    if (tick < lowestTick || tick >= end) continue;
    const child = tick - (tick % ticks);
    sums.set(child, plus(sums.get(child), sum));
  }
  return Array.from(sums, ([lowest, sum]) => ({ level, lowestTick: lowest, ...sum }));
}
