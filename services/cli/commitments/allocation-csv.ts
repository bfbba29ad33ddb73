import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { csvRecord } from "../../../common/sale/csv/csv-record.ts";
import type { Allocation } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";

/** The header record. `accepted` is in the smallest units of `token`. */
export const ALLOCATION_CSV_HEADER = csvRecord(["entity_id", "wallet", "token", "accepted"]);

/** Returns the record of an allocation. */
export function allocationCsv({ entityId, wallet, token, accepted }: Allocation): string {
  return csvRecord([`0x${hexOfBytes(entityId)}`, wallet, token, accepted]);
}
