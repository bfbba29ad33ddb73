import { amountText, priceText, type SaleUnits } from "../../../common/sale/words/sale-units.ts";
import type { PermitRecord } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";

/** The values of permits where there is no bound, on EVM and on Solana. */
const UNBOUNDED: ReadonlySet<bigint> = new Set([2n ** 256n - 1n, 2n ** 64n - 1n]);
/** The greatest price that a permit can hold, where there is no bound. */
const MAX_PRICE = 2n ** 53n - 1n;

/** Returns the bounds of a permit as people read them. */
export function permitBounds(
  {
    minAmount,
    maxAmount,
    minPrice,
    maxPrice,
    forcedLockup,
  }: Pick<PermitRecord, "minAmount" | "maxAmount" | "minPrice" | "maxPrice" | "forcedLockup">,
  units: SaleUnits,
): string {
  const [least, most] = [BigInt(minAmount), BigInt(maxAmount)];
  const amounts = UNBOUNDED.has(most)
    ? `at least ${amountText(units, least)}`
    : `${amountText(units, least)} to ${amountText(units, most)}`;
  const prices =
    maxPrice >= MAX_PRICE
      ? `at ${priceText(units, minPrice)} or more`
      : `at ${priceText(units, minPrice)} to ${priceText(units, maxPrice)}`;
  return [amounts, ...(units.isAuction ? [prices] : []), ...(forcedLockup ? ["with lockup"] : [])].join("; ");
}
