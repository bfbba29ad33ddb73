import { create } from "@bufbuild/protobuf";
import {
  ClearingRule,
  type EvmSource as EvmSourceMessage,
  type SaleDefinition as SaleDefinitionMessage,
  SaleDefinitionSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ticksOf } from "../record/ticks.ts";
import { contractFamilyMessage, contractFamilyOf } from "./contract-family.ts";
import { presentationMessage, presentationOf } from "./presentation-message.ts";
import type { AuctionPricing, EvmSource, Pricing, SaleDefinition, Source } from "./sale.ts";
import type { SaleDefinitionDraft } from "./sale-definition.ts";

/** Converts a definition that protovalidate has accepted. */
export function draftOf(message: SaleDefinitionMessage): SaleDefinitionDraft {
  const source = sourceOf(message.source);
  return {
    name: message.name,
    paymentTokens: message.paymentTokens.map(({ address, decimals, usdStablecoin, symbol }) => ({
      address,
      decimals,
      usdStablecoin,
      ...(symbol !== "" && { symbol }),
    })),
    ...(message.paymentTokenDecimals === undefined ? {} : { paymentTokenDecimals: message.paymentTokenDecimals }),
    ...(message.offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals: message.offeredTokenDecimals }),
    priceTick: {
      numerator: BigInt(message.priceTick?.numerator ?? 0),
      denominator: BigInt(message.priceTick?.denominator ?? 0),
    },
    pricing: pricingOf(message.pricing),
    ...(source === undefined ? {} : { source }),
    extraDataParameters: message.extraDataParameters,
    cancelledKeepsAmounts: message.cancelledKeepsAmounts,
    ...(message.widePrices && { widePrices: true as const }),
    ...(message.presentation && { presentation: presentationOf(message.presentation) }),
  };
}

function pricingOf(pricing: SaleDefinitionMessage["pricing"]): Pricing {
  if (pricing.case === "auction") {
    const { offeredAmount, floorTicks, incrementTicks, clearingRule } = pricing.value;
    return {
      kind: "auction",
      offeredAmount: BigInt(offeredAmount),
      floorTicks: ticksOf(floorTicks),
      incrementTicks: ticksOf(incrementTicks),
      ...(clearingRule === ClearingRule.LOWEST_NOT_OUTBID && { clearingRule: "lowest_not_outbid" as const }),
    };
  }
  const { priceTicks = "", offeredAmount = "" } = pricing.value ?? {};
  return {
    kind: "fixed",
    priceTicks: ticksOf(priceTicks),
    ...(offeredAmount !== "" && { offeredAmount: BigInt(offeredAmount) }),
  };
}

function sourceOf(source: SaleDefinitionMessage["source"]): Source | undefined {
  if (source.case === "evm") return evmSourceOf(source.value);
  if (source.case === "svm") return { kind: "svm", chain: source.value.chain, saleAccount: source.value.saleAccount };
  return undefined;
}

function evmSourceOf({ chain, contract, contractVersion, family: message }: EvmSourceMessage): EvmSource {
  const family = contractFamilyOf(message);
  const version = contractVersion === 0 ? {} : { contractVersion };
  return { kind: "evm", chain, contract, ...version, ...(family === undefined ? {} : { family }) };
}

export function definitionMessage(definition: SaleDefinition): SaleDefinitionMessage {
  const { priceTick, pricing, source, offeredTokenDecimals } = definition;
  return create(SaleDefinitionSchema, {
    name: definition.name,
    paymentTokens: [...definition.paymentTokens],
    paymentTokenDecimals: definition.paymentTokenDecimals,
    ...(offeredTokenDecimals === undefined ? {} : { offeredTokenDecimals }),
    priceTick: { numerator: priceTick.numerator.toString(), denominator: priceTick.denominator.toString() },
    pricing: pricingMessage(pricing),
    ...(source === undefined ? {} : { source: sourceMessage(source) }),
    extraDataParameters: definition.extraDataParameters,
    cancelledKeepsAmounts: definition.cancelledKeepsAmounts,
    widePrices: definition.widePrices === true,
    ...(definition.presentation && { presentation: presentationMessage(definition.presentation) }),
  });
}

function pricingMessage(pricing: Pricing) {
  if (pricing.kind === "fixed") {
    const { priceTicks, offeredAmount } = pricing;
    return {
      case: "fixed" as const,
      value: { priceTicks: String(priceTicks), offeredAmount: offeredAmount?.toString() ?? "" },
    };
  }
  const { offeredAmount, floorTicks, incrementTicks } = pricing;
  return {
    case: "auction" as const,
    value: {
      offeredAmount: String(offeredAmount),
      floorTicks: String(floorTicks),
      incrementTicks: String(incrementTicks),
      clearingRule: clearingRuleMessage(pricing),
    },
  };
}

/** Returns the rule of an auction as messages have it. */
export function clearingRuleMessage({ clearingRule }: AuctionPricing): ClearingRule {
  return clearingRule === undefined ? ClearingRule.UNSPECIFIED : ClearingRule.LOWEST_NOT_OUTBID;
}

export function sourceMessage(source: Source) {
  if (source.kind === "evm") {
    const { chain, contract, contractVersion = 0, family } = source;
    return { case: "evm" as const, value: { chain, contract, contractVersion, family: contractFamilyMessage(family) } };
  }
  return { case: "svm" as const, value: { chain: source.chain, saleAccount: source.saleAccount } };
}
