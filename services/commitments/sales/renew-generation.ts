import { isPublic, type SaleState } from "../base/domain/sale-state.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { newGeneration } from "../changing/sale-writes.ts";

/**
 * Begins a new generation of a sale, after a restore. Readers that have seen a revision which the restored database doesn't
 * know then believe the revisions that follow.
 *
 * @throws ServiceError `not_found`.
 */
export async function renewGeneration({ changes }: CommitmentsStore, saleUuid: string): Promise<SaleState> {
  const generation = newGeneration();
  return changes.run(saleUuid, async ({ state: before }) => {
    // Nobody reads a draft or a withdrawn sale, and readers of a sale with an open change set get the body from before it.
    const isShown = isPublic(before) && before.changeSet === undefined;
    return { state: { ...before, generation }, ...(isShown && { update: {} }), result: (state) => state };
  });
}
