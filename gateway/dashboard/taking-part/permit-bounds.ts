import { fill } from "../../../common/platform/language/message.ts";
import { amountText, priceText, type SaleUnits } from "../../../common/sale/words/sale-units.ts";
import type { PermitRecord } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { texts } from "../base/texts.ts";

/** The values of permits where there is no bound, on Ethereum and its kin and on Solana. */
const UNBOUNDED: ReadonlySet<bigint> = new Set([2n ** 256n - 1n, 2n ** 64n - 1n]);
/** The greatest price that a permit can hold, where there is no bound. */
const MAX_PRICE = 2n ** 53n - 1n;

/** Returns the bounds of a permit as people read them, in the language of the page. */
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
  const { atLeast, range, lockup } = texts().ruleWords;
  const { priceFrom, priceRange } = texts().permits;
  const amounts = UNBOUNDED.has(most)
    ? fill(atLeast, { least: amountText(units, least) })
    : fill(range, { least: amountText(units, least), most: amountText(units, most) });
  const lowest = priceText(units, minPrice);
  const prices =
    maxPrice >= MAX_PRICE
      ? fill(priceFrom, { least: lowest })
      : fill(priceRange, { least: lowest, most: priceText(units, maxPrice) });
  return [amounts, ...(units.isAuction ? [prices] : []), ...(forcedLockup ? [lockup] : [])].join("; ");
}
