import { WIDEST_TICKS } from "../definition/tick-width.ts";
import { clearingOf } from "../figures/what-if.ts";
import type { Bid } from "./bid.ts";
import type { SettlementTerms } from "./settlement-book.ts";

/** Relation of a bid's price to the settlement's. */
export type Side = "above" | "at" | "below";

/**
 * Returns the price of a settlement in ticks: the fixed one, or the clearing price of all bids. Those that are refused count for it, since
 * nobody's list may move a price that everybody has seen.
 */
export function settlementTicks({ pricing, priceTick }: SettlementTerms, bids: readonly Bid[]): bigint {
  if (pricing.kind === "fixed") return pricing.priceTicks;
  const levels = new Map<bigint, bigint>();
  for (const { priceTicks, committed } of bids) levels.set(priceTicks, (levels.get(priceTicks) ?? 0n) + committed);
  return clearingOf(
    { width: WIDEST_TICKS, pricing, priceTick },
    Array.from(levels, ([ticks, amount]) => ({ ticks, amount })),
  );
}

/** Returns the side of a bid. At a fixed price nobody is above it: a bid of 0 or of more pays that price. */
export function sideOf({ priceTicks }: Bid, { pricing }: SettlementTerms, ticks: bigint): Side {
  if (pricing.kind === "fixed") return priceTicks === 0n || priceTicks >= ticks ? "at" : "below";
  if (priceTicks === ticks) return "at";
  return priceTicks > ticks ? "above" : "below";
}

/** Returns the most that can be accepted, in smallest payment units: the cost of the offer; undefined where the offer isn't known. */
export function capacityOf({ pricing, priceTick }: SettlementTerms, ticks: bigint): bigint | undefined {
  const { offeredAmount } = pricing;
  if (offeredAmount === undefined) return undefined;
  return (offeredAmount * ticks * priceTick.numerator) / priceTick.denominator;
}

/** Returns the smallest offered units that an amount of smallest payment units buys, rounded down; none at a price of nothing. */
export function tokensFor(amount: bigint, { priceTick }: SettlementTerms, ticks: bigint): bigint {
  return ticks === 0n ? 0n : (amount * priceTick.denominator) / (ticks * priceTick.numerator);
}
