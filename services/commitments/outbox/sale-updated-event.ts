import { toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import { statusMessage } from "../../../common/sale/state/status.ts";
import {
  type CommitmentDataChanges,
  type SaleUpdated,
  SaleUpdatedSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { saleAllocationsMessage } from "../base/allocation-message.ts";
import { belowFloorText, clearingPriceMessage, commitmentMessage } from "../base/commitment-message.ts";
import { isPublic, type SaleState } from "../base/domain/sale-state.ts";
import type { VisibleChanges } from "../base/domain/visible-changes.ts";
import { sourcePositionMessage } from "../base/feed-state-message.ts";
import { generationNumber } from "../base/generation.ts";

/** A larger event leaves out its changes: it is stored several times, in the database and on the bus. */
const MAX_EVENT_BYTES = 32_768;

export interface SaleUpdatedFacts {
  readonly saleUuid: string;
  readonly nowMillis: bigint;
  readonly definition: SaleDefinition;
  /** The state from now on. */
  readonly state: SaleState;
  /** The normalised sum of all active commitments. */
  readonly amount: bigint;
  readonly commitments: bigint;
  /** The part of `amount` that is bid below an auction's floor. */
  readonly belowFloor: bigint;
  /** Absent if there are too many for an event. */
  readonly changes?: VisibleChanges | undefined;
}

/** Encodes a `SaleUpdated`. Published again, it is the same bytes. */
export function saleUpdatedEvent(facts: SaleUpdatedFacts): Uint8Array {
  const { saleUuid, nowMillis, definition, state, amount, commitments, belowFloor, changes } = facts;
  const { clearing } = presentClearing(definition, state);
  const allocations = saleAllocationsMessage(definition, state);
  // Written out for the same reason as `commitmentMessage`.
  const message: SaleUpdated = {
    $typeName: "tidemark.commitments.v1.SaleUpdated",
    eventId: saleUpdatedId(saleUuid, state),
    saleUuid,
    generation: generationNumber(state.generation),
    revision: state.revision,
    committedAt: timestampFromMs(Number(nowMillis)),
    status: statusMessage(state.status),
    readable: isPublic(state) && state.hasSnapshot,
    totalAmount: amount.toString(),
    commitmentCount: commitments,
    belowFloorAmount: belowFloorText(clearing, belowFloor),
    ...(clearing && { clearingPrice: clearingPriceMessage(clearing) }),
    ...(changes && { changes: changesMessage(changes) }),
    ...(state.changedPosition && { changedPosition: sourcePositionMessage(state.changedPosition) }),
    ...(allocations && { allocations }),
  };
  const event = toBinary(SaleUpdatedSchema, message);
  return changes === undefined || event.length <= MAX_EVENT_BYTES
    ? event
    : saleUpdatedEvent({ ...facts, changes: undefined });
}

function changesMessage({ upserted, removed, before }: VisibleChanges): CommitmentDataChanges {
  return {
    $typeName: "tidemark.commitments.v1.CommitmentDataChanges",
    upserted: upserted.map(commitmentMessage),
    removedIds: removed.map(messageBytes),
    totalAmountBefore: before.amount.toString(),
    commitmentCountBefore: before.commitments,
  };
}

/** Returns the ID of the event of a revision. */
export function saleUpdatedId(saleUuid: string, { generation, revision }: Pick<SaleState, "generation" | "revision">) {
  return `${saleUuid}:${generation}:${revision}`;
}
