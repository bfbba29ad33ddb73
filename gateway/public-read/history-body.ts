import type { GetHistoryResponse, HistoryPoint } from "../../proto/gen/tidemark/commitments/v1/history_pb.ts";
import { clearingFields, timestamp } from "./cache/public-body.ts";

/** Returns a sale's history as public JSON in UTF-8. @throws TypeError, RangeError as `publicBody` */
export function historyBody({ points, paymentTokenDecimals }: GetHistoryResponse): Buffer {
  return Buffer.from(`{"Points":[${points.map(pointJson).join()}],"PaymentTokenDecimals":${paymentTokenDecimals}}`);
}

function pointJson({ fromSeconds, seconds, totalAmount, commitmentCount, clearingPrice }: HistoryPoint): string {
  const fields = [
    `"From":"${timestamp(fromSeconds)}"`,
    `"Seconds":${seconds}`,
    `"TotalCommitmentAmount":${JSON.stringify(totalAmount)}`,
    `"UniqueCommitmentCount":${commitmentCount}`,
  ];
  if (clearingPrice !== undefined) fields.push(clearingFields(clearingPrice));
  return `{${fields.join()}}`;
}
