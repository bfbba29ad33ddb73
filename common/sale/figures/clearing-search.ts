import type { Fraction } from "../definition/fraction.ts";
import type { AuctionPricing } from "../definition/sale.ts";
import type { TickWidth } from "../definition/tick-width.ts";
import { clearingTick, highestTickWithin, type TickSearch } from "./clearing-price.ts";

/** Finds the clearing tick of an auction by its own rule. */
export function clearingSearch(auction: AuctionPricing, priceTick: Fraction, width: TickWidth): TickSearch {
  const search = auction.clearingRule === "lowest_not_outbid" ? outbiddingTick : clearingTick;
  return search(auction, priceTick, width);
}

/**
 * Finds the lowest tick p, from the floor on, at which the demand above p costs no more than the offer: `A(p) ≤ p × n × S`, where A(p) is
 * the active demand above p in d-ths of a payment unit, n/d the price tick and S the offered amount. Bids lie on any ticks, and p needs
 * no bid.
 *
 * p is the floor, or the highest tick t with `D(t) > (t − 1) × n × S`, D(t) being the demand at t or above: for t + 1 that fails, and
 * D(t + 1) is A(t). So t is at most `D(t) ÷ (n × S)`, rounded up, and the search for it is that of `clearingTick`.
 */
export function outbiddingTick(
  { floorTicks, offeredAmount }: Pick<AuctionPricing, "floorTicks" | "offeredAmount">,
  priceTick: Fraction,
  width: TickWidth,
): TickSearch {
  const cost = priceTick.numerator * offeredAmount;
  return highestTickWithin({
    width,
    denominator: priceTick.denominator,
    onGrid: (tick) => (tick < floorTicks ? floorTicks : tick),
    allowed: (demand) => (demand + cost - 1n) / cost,
  });
}
