import { type SaleDefinition, sourceFamily } from "./sale.ts";
import type { ViolationList } from "./violation-list.ts";

/**
 * The price tick of each Continuous Clearing Auction: its prices are smallest units of the currency for one of the token, times 2^96.
 */
export const AUCTION_PRICE_TICK = { numerator: 1n, denominator: 2n ** 96n };

/** The fields of a definition that its contract decides where that is an auction. */
type AuctionSettings = Pick<SaleDefinition, "source" | "pricing" | "priceTick" | "widePrices" | "paymentTokens">;

/** Checks that a sale that is read from a Continuous Clearing Auction counts as the auction does. */
export function checkAuctionSource(definition: AuctionSettings, violations: ViolationList): void {
  const { source, pricing, priceTick, widePrices, paymentTokens } = definition;
  if (sourceFamily(source) !== "cca") return;
  const refuse = (field: string, text: string) => {
    violations.add(
      `definition.${field}`,
      "auction_source",
      `${text}, as the contract is a Continuous Clearing Auction`,
    );
  };
  const { numerator, denominator } = AUCTION_PRICE_TICK;
  const isOfAuction = priceTick.numerator * denominator === priceTick.denominator * numerator;
  if (!isOfAuction) refuse("price_tick", "must be 1/2^96");
  if (pricing.kind !== "auction") refuse("pricing", "must be those of an auction");
  else if (pricing.clearingRule !== "lowest_not_outbid") {
    refuse("auction.clearing_rule", "must be CLEARING_RULE_LOWEST_NOT_OUTBID");
  }
  if (widePrices !== true) refuse("wide_prices", "must be set");
  if (paymentTokens.length > 1)
    refuse("payment_tokens", "must be one token, or the zero address for the chain's own coin");
}
