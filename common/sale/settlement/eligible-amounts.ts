import { ascending } from "../record/ascending.ts";
import type { Bid } from "./bid.ts";
import type { EntityLimit } from "./settlement-book.ts";
import type { Side } from "./settlement-price.ts";

/** A bid with its side. */
export interface SidedBid {
  readonly bid: Bid;
  readonly side: Side;
}

/** A bid with what can be accepted of it at most. */
export interface EligibleBid extends SidedBid {
  /** Smallest payment units. */
  readonly eligible: bigint;
}

const SIDES: readonly Side[] = ["above", "at", "below"];

/**
 * Returns what can be accepted of each bid: nothing below the price, else what isn't refused of it. The limit of an entity is used up by
 * its bids above the price before those at it, and by price descending, then commitment ID ascending.
 */
export function eligibleAmounts(bids: readonly SidedBid[], limits: readonly EntityLimit[]): readonly EligibleBid[] {
  const left = new Map(limits.map(({ entityId, largest }) => [entityId, largest]));
  const eligible = new Map<Bid, bigint>();
  for (const { bid, side } of bids.toSorted(byPrecedence)) {
    const most = left.get(bid.entityId);
    const allowed = side === "below" ? 0n : bid.allowed;
    const amount = most !== undefined && most < allowed ? most : allowed;
    if (most !== undefined) left.set(bid.entityId, most - amount);
    eligible.set(bid, amount);
  }
  return bids.map((each) => ({ ...each, eligible: eligible.get(each.bid) ?? 0n }));
}

function byPrecedence(one: SidedBid, other: SidedBid): number {
  return (
    SIDES.indexOf(one.side) - SIDES.indexOf(other.side) ||
    (one.side === "above" ? ascending(other.bid.priceTicks, one.bid.priceTicks) : 0) ||
    ascending(one.bid.commitmentId, other.bid.commitmentId)
  );
}
