import type { SaleDefinition } from "../definition/sale.ts";
import { demandOf } from "./tick-node.ts";

type Priced = Pick<SaleDefinition, "pricing">;

/** A bid's normalised amount, and its demand where that isn't its amount. */
interface Weighed {
  readonly amount: bigint;
  readonly demand?: bigint | undefined;
}

/** Whether bids of a sale may have a demand beside their amount. */
export function countsDemand({ pricing }: Priced): boolean {
  return pricing.kind === "auction" && pricing.clearingRule !== undefined;
}

/**
 * Returns a function that gives the demand of a bid, in smallest payment units divided by the denominator of the price tick: its
 * own, or its amount. In a sale that counts none, it gives undefined for each.
 */
export function demandOfBids(
  definition: Pick<SaleDefinition, "pricing" | "priceTick">,
): (bid: Weighed) => bigint | undefined {
  if (!countsDemand(definition)) return () => undefined;
  return (bid) => demandOf(bid, definition.priceTick.denominator);
}
