import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes, messageBytes } from "../../../common/platform/encoding/hex.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { listedMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { listCommitments, listDigests, readRecords } from "./list-rows.ts";

const COMMITMENT_ID_HEX_DIGITS = 64;

export function listCommitmentsRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listCommitments"] {
  return async (request) => {
    const after = pageStart(request.pageToken, COMMITMENT_ID_HEX_DIGITS);
    const { items, nextPageToken } = await readPage(
      request.pageSize,
      (limit) => listCommitments(store.database, request.saleUuid.toLowerCase(), after, limit),
      ({ record }) => tokenOf(record.commitmentId),
    );
    return { commitments: items.map(listedMessage), nextPageToken };
  };
}

export function getCommitmentRecordsRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getCommitmentRecords"] {
  return async ({ saleUuid, commitmentIds }) => {
    const records = await readRecords(store.database, saleUuid.toLowerCase(), commitmentIds.map(hexOfBytes));
    return { records: records.map(recordMessage) };
  };
}

/** The digests of one statement, which on SQLite blocks the process. */
const PAGE_SIZE = 500;

export function listDigestsRpc({ store }: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listDigests"] {
  return async ({ saleUuid, fromIndex, toIndex }) => {
    const { digests, nextIndex } = await listDigests(
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
