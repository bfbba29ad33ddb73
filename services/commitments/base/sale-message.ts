import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import type { SaleStage, SaleStatus, Tenancy } from "../../../common/sale/definition/sale.ts";
import {
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
