import { create } from "@bufbuild/protobuf";
import { clearingRuleMessage, sourceMessage } from "../../../common/sale/definition/definition-message.ts";
import { presentationMessage } from "../../../common/sale/definition/presentation-message.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { priceOfTicks } from "../../../common/sale/figures/price.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import { type SaleSummary, SaleSummarySchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { fractionMessage } from "../base/commitment-message.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { tenancyMessage } from "../base/sale-message.ts";

/** Converts the facts that the public sees of a sale besides the figures. */
export function saleSummaryMessage(
  { definition, tenancy }: SaleWithState["sale"],
  state: SaleWithState["state"],
): SaleSummary {
  const { status, stage } = state;
  const allocations = saleAllocationsMessage(definition, state);
  const { name, paymentTokens, paymentTokenDecimals, offeredTokenDecimals, source, presentation } = definition;
  const { priceTick, extraDataParameters } = definition;
  return create(SaleSummarySchema, {
    name,
    status: statusMessage(status),
    stage: stageMessage(stage),
    tenancy: tenancyMessage(tenancy),
    amountsAreDollars: paymentTokens.every(({ usdStablecoin }) => usdStablecoin),
    paymentSymbol: commonSymbol(paymentTokens) ?? "",
    ...pricingMessage(definition),
    paymentTokens: [...paymentTokens],
    paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    ...(source && { source: sourceMessage(source) }),
    ...(presentation && { presentation: presentationMessage(presentation) }),
    priceTick: fractionMessage(priceTick),
    widePrices: definition.widePrices === true,
    extraDataParameters,
    ...(allocations && { allocations }),
  });
}

/** Returns the symbol that all tokens have; undefined where they differ or one isn't known. */
function commonSymbol([first, ...others]: SaleDefinition["paymentTokens"]): string | undefined {
  return others.every(({ symbol }) => symbol === first?.symbol) ? first?.symbol : undefined;
}

function pricingMessage({ pricing, priceTick }: SaleDefinition) {
  const price = (ticks: bigint) => fractionMessage(priceOfTicks(ticks, priceTick));
  if (pricing.kind === "fixed") {
    return { fixedPrice: price(pricing.priceTicks), offeredAmount: pricing.offeredAmount?.toString() ?? "" };
  }
  const { offeredAmount, floorTicks, incrementTicks } = pricing;
  const [floorPrice, incrementPrice] = [price(floorTicks), price(incrementTicks)];
  const clearingRule = clearingRuleMessage(pricing);
  return { auction: { offeredAmount: offeredAmount.toString(), floorPrice, incrementPrice, clearingRule } };
}
