import { isDeepStrictEqual } from "node:util";
import {
  type PaymentToken,
  type SaleDefinition,
  type Source,
  sourceAddress,
  sourceFamily,
} from "../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../common/sale/definition/tick-width.ts";
import { ViolationList } from "../../../common/sale/definition/violation-list.ts";
import type { SaleState } from "../base/domain/sale-state.ts";

const REASON = "the sale is no longer a draft";

/**
 * Checks a change of a definition that is frozen (`isFrozen`): the kind of pricing, an auction's rule, the width of prices, source, P
 * and the existing payment tokens must stay, an auction's terms that its contract states, and the price tick in which demand is counted. Once the sale was settled,
 * `cancelled_keeps_amounts` must too: only then figures and counting classes depend on it.
 *
 * @param after a definition that `checkSaleDefinition` has returned, for `before`'s P
 * @throws ServiceError `invalid_argument` with up to 20 violations.
 */
export function checkDefinitionChange(
  before: SaleDefinition,
  after: SaleDefinition,
  { settleCount }: Pick<SaleState, "settleCount">,
): void {
  const violations = new ViolationList();
  const frozen = (field: string, same: boolean, reason = REASON) => {
    if (!same) violations.add(`definition.${field}`, "frozen", `can't change: ${reason}`);
  };
  frozen(after.pricing.kind, after.pricing.kind === before.pricing.kind);
  frozen("auction.clearing_rule", clearingRuleOf(after) === clearingRuleOf(before));
  checkStatedPricingStays(before, after, frozen);
  frozen("price_tick", isCountedAlike(before, after), "the demand of bids is counted in it");
  frozen("wide_prices", tickWidth(after) === tickWidth(before));
  frozen("payment_token_decimals", after.paymentTokenDecimals === before.paymentTokenDecimals);
  frozen((after.source ?? before.source)?.kind ?? "", isSameSource(before.source, after.source));
  const keepsAmountsStays = settleCount === 0n || after.cancelledKeepsAmounts === before.cancelledKeepsAmounts;
  frozen("cancelled_keeps_amounts", keepsAmountsStays, "the sale was settled");
  checkTokensStay(before.paymentTokens, after.paymentTokens, violations);
  violations.throwIfAny();
}

/** Whether two sources are the same contract or account, read in the same way, or both are none. */
export function isSameSource(before: Source | undefined, after: Source | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  const isSamePlace = before.chain === after.chain && sourceAddress(before) === sourceAddress(after);
  return isSamePlace && before.kind === after.kind && sourceFamily(before) === sourceFamily(after);
}

/** Whether what is read from a source has the same meaning under both definitions. */
export function isReadAlike(before: SaleDefinition, after: SaleDefinition): boolean {
  return (
    isSameSource(before.source, after.source) &&
    tickWidth(before) === tickWidth(after) &&
    clearingRuleOf(before) === clearingRuleOf(after) &&
    isCountedAlike(before, after) &&
    before.paymentTokenDecimals === after.paymentTokenDecimals &&
    before.cancelledKeepsAmounts === after.cancelledKeepsAmounts &&
    isDeepStrictEqual(decimalsByToken(before), decimalsByToken(after))
  );
}

/** Whether two definitions say the same of what the sale's contract states itself, if its family states anything. */
export function isStatedAlike(before: SaleDefinition, after: SaleDefinition): boolean {
  if (sourceFamily(after.source) === undefined) return true;
  const isSameOffer = before.offeredTokenDecimals === after.offeredTokenDecimals;
  return isSameOffer && isDeepStrictEqual(before.pricing, after.pricing);
}

/** A clearing price is by the contract's offer and lowest price. */
function checkStatedPricingStays(
  { pricing: before, source }: SaleDefinition,
  { pricing: after }: SaleDefinition,
  frozen: (field: string, same: boolean, reason: string) => void,
): void {
  if (sourceFamily(source) === undefined || before.kind !== "auction" || after.kind !== "auction") return;
  const reason = "the sale's contract states it";
  frozen("auction.offered_amount", after.offeredAmount === before.offeredAmount, reason);
  frozen("auction.floor_ticks", after.floorTicks === before.floorTicks, reason);
  frozen("auction.increment_ticks", after.incrementTicks === before.incrementTicks, reason);
}

function clearingRuleOf({ pricing }: SaleDefinition) {
  return pricing.kind === "auction" ? pricing.clearingRule : undefined;
}

/** Whether a demand means the same under both definitions. */
function isCountedAlike(before: SaleDefinition, after: SaleDefinition): boolean {
  return clearingRuleOf(before) === undefined || isDeepStrictEqual(before.priceTick, after.priceTick);
}

function decimalsByToken({ paymentTokens }: SaleDefinition): ReadonlyMap<string, number> {
  return new Map(paymentTokens.map(({ address, decimals }) => [address, decimals]));
}

function checkTokensStay(
  before: readonly PaymentToken[],
  after: readonly PaymentToken[],
  violations: ViolationList,
): void {
  for (const token of before) {
    const index = after.findIndex(({ address }) => address === token.address);
    checkTokenStays(token, after[index], `definition.payment_tokens[${index}]`, violations);
  }
}

function checkTokenStays(
  before: PaymentToken,
  after: PaymentToken | undefined,
  field: string,
  violations: ViolationList,
): void {
  if (after === undefined) {
    violations.add("definition.payment_tokens", "payment_tokens.removed", `must keep ${before.address}: ${REASON}`);
    return;
  }
  if (after.decimals !== before.decimals) violations.add(`${field}.decimals`, "frozen", `can't change: ${REASON}`);
  if (after.usdStablecoin !== before.usdStablecoin) {
    violations.add(`${field}.usd_stablecoin`, "frozen", `can't change: ${REASON}`);
  }
}
