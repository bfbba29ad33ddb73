import type { ServiceImpl } from "@connectrpc/connect";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { listDigests as listStored } from "./list-rows.ts";

/** The digests of one statement, which on SQLite blocks the process. */
const PAGE_SIZE = 500;

export function listDigests({ store }: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listDigests"] {
  return async ({ saleUuid, fromIndex, toIndex }) => {
    const { digests, nextIndex } = await listStored(
      store.database,
      saleUuid.toLowerCase(),
      fromIndex,
      toIndex,
      PAGE_SIZE,
    );
    return {
      digests: digests.map(({ sourceIndex, commitmentId, digest }) => ({
        sourceIndex,
        commitmentId: messageBytes(commitmentId),
        digest: messageBytes(digest),
      })),
      ...(nextIndex === undefined ? {} : { nextIndex }),
    };
  };
}
