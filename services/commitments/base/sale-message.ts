import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type {
  EvmSource,
  Pricing,
  SaleDefinition,
  SaleStage,
  SaleStatus,
  Source,
  Tenancy,
} from "../../../common/sale/definition/sale.ts";
import type { SaleDefinitionDraft } from "../../../common/sale/definition/sale-definition.ts";
import {
  type EvmSource as EvmSourceMessage,
  type SaleDefinition as SaleDefinitionMessage,
  SaleDefinitionSchema,
  type Sale as SaleMessage,
  SaleSchema,
  SaleStage as StageMessage,
  SaleStatus as StatusMessage,
  Tenancy as TenancyMessage,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { saleAllocationsMessage } from "./allocation-message.ts";
import type { SourcePosition, SourceStatus } from "./domain/sale-state.ts";
import type { SaleWithState } from "./domain/sale-with-state.ts";
import { feedStateMessage } from "./feed-state-message.ts";
import { generationNumber } from "./generation.ts";
import { presentationMessage, presentationOf } from "./presentation-message.ts";
import { sourcePositionMessage } from "./source-position-message.ts";

const STATUSES: Readonly<Record<SaleStatus, StatusMessage>> = {
  draft: StatusMessage.DRAFT,
  open: StatusMessage.OPEN,
  settled: StatusMessage.SETTLED,
  withdrawn: StatusMessage.WITHDRAWN,
};

const STAGES: Readonly<Record<SaleStage, StageMessage>> = {
  pre_open: StageMessage.PRE_OPEN,
  commitment: StageMessage.COMMITMENT,
  closed: StageMessage.CLOSED,
  cancellation: StageMessage.CANCELLATION,
  settlement: StageMessage.SETTLEMENT,
  done: StageMessage.DONE,
};

/** Returns the name whose number in `table` is `number`; undefined for the unspecified one. */
function nameOf<Name extends string>(table: Readonly<Record<Name, number>>, number: number): Name | undefined {
  return (Object.keys(table) as Name[]).find((name) => table[name] === number);
}

export function stageOf(stage: StageMessage): SaleStage | undefined {
  return nameOf(STAGES, stage);
}

export function statusOf(status: StatusMessage): SaleStatus | undefined {
  return nameOf(STATUSES, status);
}

export function stageMessage(stage: SaleStage | undefined): StageMessage {
  return stage === undefined ? StageMessage.UNSPECIFIED : STAGES[stage];
}

export function statusMessage(status: SaleStatus): StatusMessage {
  return STATUSES[status];
}

/** Converts a tenancy; protovalidate has refused the unspecified one. */
export function tenancyOf(tenancy: TenancyMessage): Tenancy {
  return tenancy === TenancyMessage.LIVE ? "live" : "test";
}

/** Converts the definition of a request; protovalidate has refused a request without one. */
export function requiredDefinition(request: {
  readonly definition?: SaleDefinitionMessage | undefined;
}): SaleDefinitionDraft {
  return draftOf(request.definition ?? create(SaleDefinitionSchema));
}

function draftOf(message: SaleDefinitionMessage): SaleDefinitionDraft {
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
    ...(message.presentation && { presentation: presentationOf(message.presentation) }),
  };
}

function pricingOf(pricing: SaleDefinitionMessage["pricing"]): Pricing {
  if (pricing.case === "auction") {
    const { offeredAmount, floorTicks, incrementTicks } = pricing.value;
    return { kind: "auction", offeredAmount: BigInt(offeredAmount), floorTicks, incrementTicks };
  }
  const { priceTicks = 0n, offeredAmount = "" } = pricing.value ?? {};
  return { kind: "fixed", priceTicks, ...(offeredAmount !== "" && { offeredAmount: BigInt(offeredAmount) }) };
}

function sourceOf(source: SaleDefinitionMessage["source"]): Source | undefined {
  if (source.case === "evm") return evmSourceOf(source.value);
  if (source.case === "svm") return { kind: "svm", chain: source.value.chain, saleAccount: source.value.saleAccount };
  return undefined;
}

function evmSourceOf({ chain, contract, contractVersion }: EvmSourceMessage): EvmSource {
  return { kind: "evm", chain, contract, ...(contractVersion === 0 ? {} : { contractVersion }) };
}

export function saleMessage({ sale, state, sourceStatus, feedState }: SaleWithState): SaleMessage {
  const allocations = saleAllocationsMessage(sale.definition, state);
  return create(SaleSchema, {
    uuid: sale.uuid,
    tenancy: tenancyMessage(sale.tenancy),
    status: statusMessage(state.status),
    definition: definitionMessage(sale.definition),
    definitionVersion: sale.definitionVersion,
    ownerAccountUuid: sale.ownerAccountUuid,
    createdAt: timestampFromMs(Number(sale.createdAtMillis)),
    revision: state.revision,
    generation: generationNumber(state.generation),
    stage: stageMessage(state.stage),
    ...(state.sourcePosition && { sourcePosition: sourcePositionMessage(state.sourcePosition) }),
    ...(state.changedPosition && { changedPosition: sourcePositionMessage(state.changedPosition) }),
    hasSnapshot: state.hasSnapshot,
    changeSetOpen: state.changeSet !== undefined,
    ...(allocations && { allocations }),
    ...(sourceStatus === undefined ? {} : { sourceStatus: sourceStatusMessage(sourceStatus, state.sourcePosition) }),
    ...(feedState === undefined ? {} : { feedState: feedStateMessage(feedState) }),
  });
}

export function tenancyMessage(tenancy: Tenancy): TenancyMessage {
  return tenancy === "live" ? TenancyMessage.LIVE : TenancyMessage.TEST;
}

function sourceStatusMessage(status: SourceStatus, position: SourcePosition | undefined) {
  const { headHeight, fault, warning, sweep, checkedAtMillis, sweepRequests } = status;
  const isBehind = position !== undefined && headHeight > position.height;
  const behind = isBehind ? headHeight - position.height : 0n;
  const checkedAt = timestampFromMs(Number(checkedAtMillis));
  return { headHeight, behind, fault, warning, checkedAt, sweep, sweepRequests };
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
    ...(definition.presentation && { presentation: presentationMessage(definition.presentation) }),
  });
}

function pricingMessage(pricing: Pricing) {
  if (pricing.kind === "fixed") {
    const { priceTicks, offeredAmount } = pricing;
    return { case: "fixed" as const, value: { priceTicks, offeredAmount: offeredAmount?.toString() ?? "" } };
  }
  const { offeredAmount, floorTicks, incrementTicks } = pricing;
  return {
    case: "auction" as const,
    value: { offeredAmount: offeredAmount.toString(), floorTicks, incrementTicks },
  };
}

export function sourceMessage(source: Source) {
  if (source.kind === "evm") {
    const { chain, contract, contractVersion = 0 } = source;
    return { case: "evm" as const, value: { chain, contract, contractVersion } };
  }
  return { case: "svm" as const, value: { chain: source.chain, saleAccount: source.saleAccount } };
}
