import { ticksOf } from "../../../common/sale/record/ticks.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import type { Visit } from "./visits.ts";

/**
 * Returns the lowest price, in ticks, of a bid that the permit allows and that is in at the present clearing price: the next one of
 * the auction's grid above it.
 */
export function priceInNow({ definition }: DemoSale, { permit, position }: Pick<Visit, "permit" | "position">): bigint {
  const lowest = BigInt(permit?.permit.PermitJSON.MinPrice ?? 0);
  const clearing = position?.ClearingPriceNumerator;
  if (clearing === undefined || definition.pricing.case !== "auction") return lowest;
  const above = BigInt(clearing) + ticksOf(definition.pricing.value.incrementTicks);
  return above > lowest ? above : lowest;
}
