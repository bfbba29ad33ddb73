import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { readRecords } from "./list-rows.ts";

export function getCommitmentRecords({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getCommitmentRecords"] {
  return async ({ saleUuid, commitmentIds }) => {
    const records = await readRecords(store.database, saleUuid.toLowerCase(), commitmentIds.map(hexOfBytes));
    return { records: records.map(recordMessage) };
  };
}
