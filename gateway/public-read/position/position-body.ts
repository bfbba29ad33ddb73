import { stageOf } from "../../../common/sale/state/stage.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { type BidExit, BidStanding } from "../../../proto/gen/tidemark/commitments/v1/bid_exit_pb.ts";
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

const STANDINGS: Readonly<Record<BidStanding, string | undefined>> = {
  [BidStanding.UNSPECIFIED]: undefined,
  [BidStanding.MAY_GET_MORE]: "may_get_more",
  [BidStanding.AWAITS_CHECKPOINT]: "awaits_checkpoint",
  [BidStanding.AWAITS_GRADUATION]: "awaits_graduation",
  [BidStanding.OUTBID]: "outbid",
  [BidStanding.AT_FINAL_PRICE]: "at_final_price",
  [BidStanding.ABOVE_FINAL_PRICE]: "above_final_price",
  [BidStanding.NOT_GRADUATED]: "not_graduated",
  [BidStanding.LOCKED]: "locked",
};

/** Returns a wallet's commitments as public JSON in UTF-8. @throws TypeError or RangeError as `publicBody` */
export function positionBody(position: GetPositionResponse): Buffer {
  const { wallet, commitments, nextPageToken, paymentTokenDecimals, clearingPrice } = position;
  const { allocations, saleAllocations, undersubscribed, exitsHeight } = position;
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
  if (exitsHeight !== undefined) fields.push(`"ExitsAsOfBlock":"${exitsHeight}"`);
  return Buffer.from(`{${fields.join()}}`);
}

function commitmentJson({ commitment, notCountedReason, clearingOutcome, exit }: PositionCommitment): string {
  if (commitment === undefined) throw new TypeError("commitments.commitment is missing");
  return JSON.stringify({
    ...publicCommitment(commitment),
    Counted: notCountedReason === NotCountedReason.UNSPECIFIED,
    // JSON.stringify leaves out undefined fields.
    NotCountedReason: REASONS[notCountedReason],
    ClearingOutcome: OUTCOMES[clearingOutcome],
    Exit: exit && publicExit(exit),
  });
}

/** Returns how a bid leaves; undefined for a standing that this version doesn't know. */
function publicExit({ standing, spent, refunded, tokens, function: name, arguments: values }: BidExit) {
  const Standing = STANDINGS[standing];
  if (Standing === undefined) return undefined;
  const call = name === "" ? undefined : { Function: name, Arguments: values };
  // JSON.stringify leaves out undefined fields.
  return { Standing, SpentAmount: spent, RefundAmount: refunded, Tokens: tokens, ...call };
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
