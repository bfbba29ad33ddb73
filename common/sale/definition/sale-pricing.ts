import type { Fraction } from "./fraction.ts";
import type { Pricing } from "./sale.ts";
import { UINT64_MAX, UINT256_MAX } from "./uint.ts";
import type { ViolationList } from "./violation-list.ts";

/** Checks what one price tick is worth: both parts 1 to 2^256-1. */
export function checkPriceTick({ numerator, denominator }: Fraction, violations: ViolationList): void {
  checkRange("definition.price_tick.numerator", numerator, 1n, UINT256_MAX, violations);
  checkRange("definition.price_tick.denominator", denominator, 1n, UINT256_MAX, violations);
}

/** Checks the numbers of a pricing: ticks are uint64, increment, offered amount and fixed price at least 1. */
export function checkPricing(pricing: Pricing, violations: ViolationList): void {
  const { offeredAmount } = pricing;
  if (offeredAmount !== undefined) {
    checkRange(offeredAmountField(pricing), offeredAmount, 1n, UINT256_MAX, violations);
  }
  if (pricing.kind === "fixed") {
    checkRange("definition.fixed.price_ticks", pricing.priceTicks, 1n, UINT64_MAX, violations);
    return;
  }
  checkRange("definition.auction.floor_ticks", pricing.floorTicks, 0n, UINT64_MAX, violations);
  checkRange("definition.auction.increment_ticks", pricing.incrementTicks, 1n, UINT64_MAX, violations);
}

/**
 * Checks that the total supply is no less than the offered amount.
 *
 * @param field the one of both that the caller has sent
 */
export function checkOfferedShare(
  { offeredAmount = 0n }: Pricing,
  totalSupply: bigint | undefined,
  field: string,
  violations: ViolationList,
): void {
  if (totalSupply === undefined || totalSupply >= offeredAmount) return;
  violations.add(field, "total_supply", "the total supply must be at least the offered amount");
}

/** Returns the name of the field of a pricing's offered amount. */
export function offeredAmountField({ kind }: Pick<Pricing, "kind">): string {
  return `definition.${kind}.offered_amount`;
}

function checkRange(field: string, value: bigint, least: bigint, most: bigint, violations: ViolationList): void {
  if (value < least || value > most) {
    violations.add(field, "range", `must be ${least} to ${most === UINT64_MAX ? "2^64-1" : "2^256-1"}`);
  }
}
