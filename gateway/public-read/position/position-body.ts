import { stageOf } from "../../../common/sale/state/stage.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import {
  ClearingOutcome,
  type GetPositionResponse,
  NotCountedReason,
  type PositionAllocation,
  type PositionCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { clearingFields, hex, publicCommitment } from "../cache/public-body.ts";

/** Reasons in public words; undefined for a commitment that counts, and for a reason that this version doesn't know. */
const REASONS: Readonly<Record<NotCountedReason, string | undefined>> = {
  [NotCountedReason.UNSPECIFIED]: undefined,
  [NotCountedReason.REFUNDED]: "refunded",
  [NotCountedReason.NO_AMOUNT]: "no_amount",
};
const OUTCOMES: Readonly<Record<ClearingOutcome, string | undefined>> = {
  [ClearingOutcome.UNSPECIFIED]: undefined,
  [ClearingOutcome.IN]: "in",
  [ClearingOutcome.AT_MARGIN]: "at_margin",
  [ClearingOutcome.OUT]: "out",
  [ClearingOutcome.BELOW_FLOOR]: "below_floor",
};

/** Returns a wallet's commitments as public JSON in UTF-8. @throws TypeError or RangeError as `publicBody` */
export function positionBody(position: GetPositionResponse): Buffer {
  const { wallet, commitments, nextPageToken, paymentTokenDecimals, clearingPrice } = position;
  const { allocations, saleAllocations, undersubscribed } = position;
  const fields = [
    `"Wallet":${JSON.stringify(wallet)}`,
    `"Commitments":[${commitments.map(commitmentJson).join()}]`,
    `"PaymentTokenDecimals":${paymentTokenDecimals}`,
  ];
  if (nextPageToken !== "") fields.push(`"NextPageToken":${JSON.stringify(nextPageToken)}`);
  const state = JSON.stringify({ Status: publicStatus(position.status), Stage: stageOf(position.stage) }).slice(1, -1);
  // Empty where the commitments service is of an older version.
  if (state !== "") fields.push(state);
  if (clearingPrice !== undefined) fields.push(clearingFields(clearingPrice));
  if (undersubscribed) fields.push('"Undersubscribed":true');
  if (saleAllocations !== undefined) fields.push(`"Allocations":${JSON.stringify(allocations.map(publicAllocation))}`);
  if (saleAllocations?.differs) fields.push('"AllocationsDiffer":true');
  return Buffer.from(`{${fields.join()}}`);
}

function commitmentJson({ commitment, notCountedReason, clearingOutcome }: PositionCommitment): string {
  if (commitment === undefined) throw new TypeError("commitments.commitment is missing");
  return JSON.stringify({
    ...publicCommitment(commitment),
    Counted: notCountedReason === NotCountedReason.UNSPECIFIED,
    // JSON.stringify leaves out undefined fields.
    NotCountedReason: REASONS[notCountedReason],
    ClearingOutcome: OUTCOMES[clearingOutcome],
  });
}

function publicAllocation({ entityId, token, accepted, refunded }: PositionAllocation) {
  return {
    SaleSpecificEntityID: hex(entityId),
    TokenAddress: token,
    AcceptedAmount: accepted,
    // JSON.stringify leaves out undefined fields.
    RefundedAmount: refunded,
  };
}
