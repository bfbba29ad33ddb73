import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { generationNumber } from "../messages/generation.ts";
import { readRevisions } from "../store/read/read-revisions.ts";
import type { Dependencies } from "./dependencies.ts";

export function getRevisions({ store }: Dependencies): ServiceImpl<typeof CommitmentService>["getRevisions"] {
  return async ({ saleUuids }) => {
    const revisions = await readRevisions(store.database, saleUuids);
    return {
      revisions: revisions.map(({ saleUuid, generation, revision }) => ({
        saleUuid,
        generation: generationNumber(generation),
        revision,
      })),
    };
  };
}
