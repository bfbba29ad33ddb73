import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { isPublic, type SaleState } from "../base/domain/sale-state.ts";
import { generationNumber } from "../base/generation.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { newGeneration } from "../changing/sale-writes.ts";

export function renewGenerationRpc({
  store,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["renewGeneration"] {
  return async (request) => {
    const { generation, revision } = await renewGeneration(store, request.saleUuid.toLowerCase());
    return { generation: generationNumber(generation), revision };
  };
}

/**
 * Begins a new generation of a sale, after a restore. Readers that have seen a revision which the restored database doesn't
 * know then believe the revisions that follow.
 *
 * @throws ServiceError `not_found`.
 */
export function renewGeneration({ changes }: CommitmentsStore, saleUuid: string): Promise<SaleState> {
  const generation = newGeneration();
  return changes.run(saleUuid, async ({ state: before }) => {
    // Nobody reads a draft or a withdrawn sale, and readers of a sale with an open change set get the body from before it.
    const isShown = isPublic(before) && before.changeSet === undefined;
    return { state: { ...before, generation }, ...(isShown && { update: {} }), result: (state) => state };
  });
}
