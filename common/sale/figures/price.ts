import type { Fraction } from "../definition/fraction.ts";
import type { SaleDefinition } from "../definition/sale.ts";

const MICRO_DECIMALS = 6;

/** Returns the price of a number of price ticks: `ticks × n/d`, not reduced. */
export function priceOfTicks(ticks: bigint, priceTick: Fraction): Fraction {
  return { numerator: ticks * priceTick.numerator, denominator: priceTick.denominator };
}

/** Returns the price of a commitment that bids `priceTicks`. In a fixed-price sale 0 means the sale's price. */
export function commitmentPrice(
  priceTicks: bigint,
  { pricing, priceTick }: Pick<SaleDefinition, "pricing" | "priceTick">,
): Fraction {
  const ticks = priceTicks === 0n && pricing.kind === "fixed" ? pricing.priceTicks : priceTicks;
  return priceOfTicks(ticks, priceTick);
}

/**
 * Returns the micro-USD (1,000,000 to the dollar) that one whole offered token costs:
 * `floor(numerator × 10^(offered+6) / (denominator × 10^P))`. The price is in smallest payment units (of P =
 * `paymentTokenDecimals`) per smallest offered unit. Only meaningful if the sale `quotesMicroUsd`.
 */
export function microUsd(price: Fraction, paymentTokenDecimals: number, offeredTokenDecimals: number): bigint {
  const numerator = price.numerator * 10n ** BigInt(offeredTokenDecimals + MICRO_DECIMALS);
  return numerator / (price.denominator * 10n ** BigInt(paymentTokenDecimals));
}

/** Whether prices can be quoted in micro-USD: every payment token is a USD stablecoin, and the offered decimals are set. */
export function quotesMicroUsd<Definition extends Pick<SaleDefinition, "paymentTokens" | "offeredTokenDecimals">>(
  definition: Definition,
): definition is Definition & { readonly offeredTokenDecimals: number } {
  return (
    definition.offeredTokenDecimals !== undefined && definition.paymentTokens.every((token) => token.usdStablecoin)
  );
}
