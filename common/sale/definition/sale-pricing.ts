import type { Fraction } from "./fraction.ts";
import type { Pricing } from "./sale.ts";
import { highestTicks, type TickWidth } from "./tick-width.ts";
import { ticksBound } from "./ticks-bound.ts";
import { UINT256_MAX } from "./uint.ts";
import type { ViolationList } from "./violation-list.ts";

/** Checks what one price tick is worth: both parts 1 to 2^256-1. */
export function checkPriceTick({ numerator, denominator }: Fraction, violations: ViolationList): void {
  checkRange("definition.price_tick.numerator", numerator, 1n, UINT256_MAX, violations);
  checkRange("definition.price_tick.denominator", denominator, 1n, UINT256_MAX, violations);
}

/** Checks the numbers of a pricing: ticks are of the sale's width, increment, offered amount and fixed price at least 1, the increment no more where the rule knows no grid. */
export function checkPricing(pricing: Pricing, width: TickWidth, violations: ViolationList): void {
  const { offeredAmount } = pricing;
  if (offeredAmount !== undefined) {
    checkRange(offeredAmountField(pricing), offeredAmount, 1n, UINT256_MAX, violations);
  }
  if (pricing.kind === "fixed") {
    checkTicks("definition.fixed.price_ticks", pricing.priceTicks, 1n, width, violations);
    return;
  }
  checkTicks("definition.auction.floor_ticks", pricing.floorTicks, 0n, width, violations);
  checkTicks("definition.auction.increment_ticks", pricing.incrementTicks, 1n, width, violations);
  if (pricing.clearingRule !== undefined && pricing.incrementTicks !== 1n) {
    const message = "must be 1 with the clearing rule LOWEST_NOT_OUTBID, which knows no grid";
    violations.add("definition.auction.increment_ticks", "increment.clearing_rule", message);
  }
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

function checkTicks(field: string, ticks: bigint, least: bigint, width: TickWidth, violations: ViolationList): void {
  if (ticks < least || ticks > highestTicks(width)) {
    violations.add(field, "range", `must be ${least} to ${ticksBound(width)}`);
  }
}

function checkRange(field: string, value: bigint, least: bigint, most: bigint, violations: ViolationList): void {
  if (value < least || value > most) violations.add(field, "range", `must be ${least} to 2^256-1`);
}
