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

/** A search of the tick tree: requests for children, and the tick that it finds. */
export type TickSearch = Generator<ChildrenRequest, bigint, readonly TickNode[]>;

/**
 * Finds the clearing tick of an auction: the highest tick t of the grid (floor, floor + increment, …) with
 * `D(t) × d ≥ t × n × S`, where D(t) is the active amount at t or above, n/d the price tick and S the offered amount;
 * the floor if none fits. Perhaps nobody has bid t, but above the highest bid there is no demand, so t is a tick of the tree.
 */
export function clearingTick(auction: AuctionPricing, priceTick: Fraction, width: TickWidth): TickSearch {
  const cost = priceTick.numerator * auction.offeredAmount;
  return highestTickWithin(
    width,
    (tick) => gridTick(auction, tick),
    (demand) => (demand * priceTick.denominator) / cost,
  );
}

/**
 * Finds the lowest tick p, from the floor on, at which what is bid above p costs no more than the offer: `A(p) × d ≤ p × n × S`, where
 * A(p) is the active amount above p, n/d the price tick and S the offered amount. Bids lie on any ticks, and p needs no bid.
 *
 * p is the floor, or the highest tick t with `D(t) × d > (t − 1) × n × S`, D(t) being the amount at t or above: for t + 1 that fails, and
 * D(t + 1) is A(t). So t is at most `D(t) × d ÷ (n × S)`, rounded up, and the search for it is that of `clearingTick`.
 */
export function outbiddingTick(
  { floorTicks, offeredAmount }: Pick<AuctionPricing, "floorTicks" | "offeredAmount">,
  priceTick: Fraction,
  width: TickWidth,
): TickSearch {
  const cost = priceTick.numerator * offeredAmount;
  return highestTickWithin(
    width,
    (tick) => (tick < floorTicks ? floorTicks : tick),
    (demand) => (demand * priceTick.denominator + cost - 1n) / cost,
  );
}

/**
 * Finds the highest tick that isn't above what the demand at it and above allows, on a grid.
 *
 * The generator yields requests for children in the tick tree and is resumed with them, one level after the other, at most
 * `width` times. Demand falls with the tick, so the condition holds up to one tick and for none above it: a single
 * descent finds that tick.
 *
 * @param onGrid the highest tick of the grid that isn't above a tick, or the grid's first
 * @param allowed the highest tick that a demand allows: the more of it, the higher; 0 for none
 */
function* highestTickWithin(
  width: TickWidth,
  onGrid: (tick: bigint) => bigint,
  allowed: (demand: bigint) => bigint,
): TickSearch {
  let request: ChildrenRequest = { level: 1, lowestTick: 0n };
  let demandAbove = 0n;
  for (;;) {
    const found = findTurn(width, yield request, demandAbove, allowed);
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
  width: TickWidth,
  children: readonly TickNode[],
  demandAboveAll: bigint,
  allowed: (demand: bigint) => bigint,
): { readonly child?: TickNode; readonly demandAbove: bigint } {
  let demandAbove = demandAboveAll;
  let limit = allowed(demandAbove);
  for (const child of children.toSorted(byTickDescending)) {
    if (limit >= highestTick(width, child)) break;
    limit = allowed(demandAbove + child.amount);
    if (limit > child.lowestTick) return { child, demandAbove };
    demandAbove += child.amount;
  }
  return { demandAbove };
}

/** Returns the highest tick of the grid that isn't above `tick`, and at least the floor. */
function gridTick({ floorTicks, incrementTicks }: AuctionPricing, tick: bigint): bigint {
  return tick <= floorTicks ? floorTicks : tick - ((tick - floorTicks) % incrementTicks);
}
