import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../common/platform/rpc/server/page-token.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { listedMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { listCommitments as listStored } from "./list-rows.ts";

const COMMITMENT_ID_HEX_DIGITS = 64;

export function listCommitments({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listCommitments"] {
  return async (request) => {
    const limit = pageSize(request.pageSize);
    const after = pageStart(request.pageToken, COMMITMENT_ID_HEX_DIGITS);
    const page = await listStored(store.database, request.saleUuid.toLowerCase(), after, limit);
    return {
      commitments: page.map(listedMessage),
      nextPageToken: nextPageToken(page, limit, ({ record }) => record.commitmentId),
    };
  };
}
