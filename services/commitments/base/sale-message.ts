import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import type { Tenancy } from "../../../common/sale/definition/sale.ts";
import { heightRead } from "../../../common/sale/state/height-read.ts";
import { stageMessage } from "../../../common/sale/state/stage.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import {
  type Sale as SaleMessage,
  SaleSchema,
  Tenancy as TenancyMessage,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { saleAllocationsMessage } from "./allocation-message.ts";
import type { SourcePosition, SourceStatus } from "./domain/sale-state.ts";
import type { SaleWithState } from "./domain/sale-with-state.ts";
import { feedStateMessage, sourcePositionMessage } from "./feed-state-message.ts";
import { generationNumber } from "./generation.ts";

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
    ...(sourceStatus === undefined
      ? {}
      : { sourceStatus: sourceStatusMessage(sourceStatus, state.sourcePosition, feedState?.asOf?.position) }),
    ...(feedState === undefined ? {} : { feedState: feedStateMessage(feedState) }),
  });
}

export function tenancyMessage(tenancy: Tenancy): TenancyMessage {
  return tenancy === "live" ? TenancyMessage.LIVE : TenancyMessage.TEST;
}

function sourceStatusMessage(
  status: SourceStatus,
  applied: SourcePosition | undefined,
  asOf: SourcePosition | undefined,
) {
  const { headHeight, fault, warning, sweep, checkedAtMillis, sweepRequests } = status;
  const read = heightRead(applied, asOf);
  const behind = read !== undefined && headHeight > read ? headHeight - read : 0n;
  const checkedAt = timestampFromMs(Number(checkedAtMillis));
  return { headHeight, behind, fault, warning, checkedAt, sweep, sweepRequests };
}
