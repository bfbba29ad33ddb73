import { create } from "@bufbuild/protobuf";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { PresentedCommitment } from "../../../common/sale/figures/commitment-data.ts";
import type { NotCounted, ClearingOutcome as Outcome, PositionEntry } from "../../../common/sale/figures/position.ts";
import type { PositionAllocation } from "../../../common/sale/figures/position-allocations.ts";
import {
  ClearingOutcome,
  NotCountedReason,
  type PositionAllocation as PositionAllocationMessage,
  PositionAllocationSchema,
  type PositionCommitment,
  PositionCommitmentSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { commitmentMessage } from "../base/commitment-message.ts";

const REASONS: Readonly<Record<NotCounted, NotCountedReason>> = {
  refunded: NotCountedReason.REFUNDED,
  no_amount: NotCountedReason.NO_AMOUNT,
};
const OUTCOMES: Readonly<Record<Outcome, ClearingOutcome>> = {
  in: ClearingOutcome.IN,
  at_margin: ClearingOutcome.AT_MARGIN,
  out: ClearingOutcome.OUT,
};

/** Converts a commitment with how it counts. */
export function positionCommitmentMessage(
  presented: PresentedCommitment,
  { notCounted, outcome }: Pick<PositionEntry, "notCounted" | "outcome">,
): PositionCommitment {
  return create(PositionCommitmentSchema, {
    commitment: commitmentMessage(presented),
    ...(notCounted === undefined ? {} : { notCountedReason: REASONS[notCounted] }),
    ...(outcome === undefined ? {} : { clearingOutcome: OUTCOMES[outcome] }),
  });
}

export function positionAllocationMessage({
  entityId,
  token,
  accepted,
  refunded,
}: PositionAllocation): PositionAllocationMessage {
  return create(PositionAllocationSchema, {
    entityId: messageBytes(entityId),
    token,
    accepted: accepted.toString(),
    ...(refunded === undefined ? {} : { refunded: refunded.toString() }),
  });
}
