import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { feedStateMessage } from "../base/feed-state-message.ts";
import { generationNumber } from "../base/generation.ts";
import { readFeedStates } from "../base/source-status.ts";
import { readRevisions } from "./revisions-store.ts";

export function getRevisionsRpc({ store }: CommitmentsContext): ServiceImpl<typeof CommitmentService>["getRevisions"] {
  return async ({ saleUuids }) => {
    // Before the revisions: figures are never older than the block that they are said to be of.
    const feedStates = await readFeedStates(store.database, saleUuids);
    const revisions = await readRevisions(store.database, saleUuids);
    return {
      revisions: revisions.map(({ saleUuid, generation, revision }) => ({
        saleUuid,
        generation: generationNumber(generation),
        revision,
        feedState: feedStateMessage(feedStates.get(saleUuid)),
      })),
    };
  };
}
