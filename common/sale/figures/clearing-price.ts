import type { Fraction } from "../definition/fraction.ts";
import type { AuctionPricing } from "../definition/sale.ts";
import type { TickWidth } from "../definition/tick-width.ts";
import { byTickDescending, highestTick, type TickNode } from "./tick-node.ts";

/** Requests the children of one node that have an active amount: at most 256, in any order. */
export interface ChildrenRequest {
  /** Level of the children, 1 to the tree's width. */
  readonly level: number;
  /** Lowest tick of the parent's range. */
  readonly lowestTick: bigint;
}

/**
 * Finds the clearing tick of an auction: the highest tick t of the grid (floor, floor + increment, …) with
 * `D(t) × d ≥ t × n × S`, where D(t) is the active amount at t or above, n/d the price tick and S the offered amount;
 * the floor if none fits. Perhaps nobody has bid t, but above the highest bid there is no demand, so t is a tick of the tree.
 *
 * The generator yields requests for children in the tick tree and is resumed with them, one level after the other, at most
 * `width` times. Demand falls and cost rises with t, so the condition holds up to one tick and for none above it: a single
 * descent finds that tick.
 */
export function* clearingTick(
  auction: AuctionPricing,
  priceTick: Fraction,
  width: TickWidth,
): Generator<ChildrenRequest, bigint, readonly TickNode[]> {
  const cost = priceTick.numerator * auction.offeredAmount;
  const highestAffordable = (demand: bigint) => (demand * priceTick.denominator) / cost;

  let request: ChildrenRequest = { level: 1, lowestTick: 0n };
  let demandAbove = 0n;
  for (;;) {
    const found = findTurn(width, yield request, demandAbove, highestAffordable);
    demandAbove = found.demandAbove;
    if (found.child === undefined) return gridTick(auction, highestAffordable(demandAbove));

    const lowest = gridTick(auction, found.child.lowestTick);
    if (lowest === gridTick(auction, highestTick(width, found.child))) return lowest;
    request = { level: found.child.level + 1, lowestTick: found.child.lowestTick };
  }
}

/**
 * Returns the child that contains the highest tick for which the condition holds, and the demand above that child. Without a
 * child, the tick is at a border of children, in a gap between them or below them all: there demand is known, and a division
 * gives the tick.
 */
function findTurn(
  width: TickWidth,
  children: readonly TickNode[],
  demandAboveAll: bigint,
  highestAffordable: (demand: bigint) => bigint,
): { readonly child?: TickNode; readonly demandAbove: bigint } {
  let demandAbove = demandAboveAll;
  let affordable = highestAffordable(demandAbove);
  for (const child of children.toSorted(byTickDescending)) {
    if (affordable >= highestTick(width, child)) break;
    affordable = highestAffordable(demandAbove + child.amount);
    if (affordable > child.lowestTick) return { child, demandAbove };
    demandAbove += child.amount;
  }
  return { demandAbove };
}

/** Returns the highest tick of the grid that isn't above `tick`, and at least the floor. */
function gridTick({ floorTicks, incrementTicks }: AuctionPricing, tick: bigint): bigint {
  return tick <= floorTicks ? floorTicks : tick - ((tick - floorTicks) % incrementTicks);
}
