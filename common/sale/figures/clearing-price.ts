import type { Fraction } from "../definition/fraction.ts";
import type { AuctionPricing } from "../definition/sale.ts";
import type { TickWidth } from "../definition/tick-width.ts";
import { byTickDescending, demandOf, highestTick, type TickNode } from "./tick-node.ts";

/** Requests the children of one node that have active commitments: at most 256, in any order. */
export interface ChildrenRequest {
  /** Level of the children, 1 to the tree's width. */
  readonly level: number;
  /** Lowest tick of the parent's range. */
  readonly lowestTick: bigint;
}

/** A search of the tick tree: requests for children, and the tick that it finds. */
export type TickSearch = Generator<ChildrenRequest, bigint, readonly TickNode[]>;

/**
 * Finds the clearing tick of an auction: the highest tick t of the grid (floor, floor + increment, …) with
 * `D(t) ≥ t × n × S`, where D(t) is the active demand at t or above in d-ths of a payment unit, n/d the price tick and S the offered
 * amount; the floor if none fits. Perhaps nobody has bid t, but above the highest bid there is no demand, so t is a tick of the tree.
 */
export function clearingTick(auction: AuctionPricing, priceTick: Fraction, width: TickWidth): TickSearch {
  const cost = priceTick.numerator * auction.offeredAmount;
  return highestTickWithin({
    width,
    denominator: priceTick.denominator,
    onGrid: (tick) => gridTick(auction, tick),
    allowed: (demand) => demand / cost,
  });
}

/** The rule by which the highest tick is searched. */
export interface SearchRule {
  readonly width: TickWidth;
  /** The denominator of the price tick. */
  readonly denominator: bigint;
  /** Returns the highest tick of the grid that isn't above a tick, or the grid's first. */
  readonly onGrid: (tick: bigint) => bigint;
  /** Returns the highest tick that a demand allows: the more of it, the higher; 0 for none. */
  readonly allowed: (demand: bigint) => bigint;
}

/**
 * Finds the highest tick that isn't above what the demand at it and above allows, on a grid.
 *
 * The generator yields requests for children in the tick tree and is resumed with them, one level after the other, at most
 * `width` times. Demand falls with the tick, so the condition holds up to one tick and for none above it: a single
 * descent finds that tick.
 */
export function* highestTickWithin(rule: SearchRule): TickSearch {
  const { width, onGrid, allowed } = rule;
  let request: ChildrenRequest = { level: 1, lowestTick: 0n };
  let demandAbove = 0n;
  for (;;) {
    const found = findTurn(rule, yield request, demandAbove);
    demandAbove = found.demandAbove;
    if (found.child === undefined) return onGrid(allowed(demandAbove));

    const lowest = onGrid(found.child.lowestTick);
    if (lowest === onGrid(highestTick(width, found.child))) return lowest;
    request = { level: found.child.level + 1, lowestTick: found.child.lowestTick };
  }
}

/**
 * Returns the child that contains the highest tick for which the condition holds, and the demand above that child. Without a
 * child, the tick is at a border of children, in a gap between them or below them all: there demand is known, and a division
 * gives the tick.
 */
function findTurn(
  { width, denominator, allowed }: SearchRule,
  children: readonly TickNode[],
  demandAboveAll: bigint,
): { readonly child?: TickNode; readonly demandAbove: bigint } {
  let demandAbove = demandAboveAll;
  let limit = allowed(demandAbove);
  for (const child of children.toSorted(byTickDescending)) {
    if (limit >= highestTick(width, child)) break;
    const demand = demandAbove + demandOf(child, denominator);
    limit = allowed(demand);
    if (limit > child.lowestTick) return { child, demandAbove };
    demandAbove = demand;
  }
  return { demandAbove };
}

/** Returns the highest tick of the grid that isn't above `tick`, and at least the floor. */
function gridTick({ floorTicks, incrementTicks }: AuctionPricing, tick: bigint): bigint {
  return tick <= floorTicks ? floorTicks : tick - ((tick - floorTicks) % incrementTicks);
}
