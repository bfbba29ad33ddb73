import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import { addSweepRequests } from "./source-status-store.ts";

export function requestSweepRpc({
  store,
  authority,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["requestSweep"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(context), saleUuid, "editor");
    return { sweepRequests: await requestSweep(store, saleUuid) };
  };
}

/**
 * Asks the reader of a sale's source to read the whole contract once more.
 *
 * @returns the number of the request.
 * @throws ServiceError `not_found`, `failed_precondition` for a sale without a source.
 */
async function requestSweep({ database, changes }: CommitmentsStore, saleUuid: string): Promise<bigint> {
  return changes.run(saleUuid, async ({ transaction, sale, state }) => {
    requireNotWithdrawn(state);
    if (sale.definition.source === undefined) throw new ServiceError("failed_precondition", "the sale has no source");
    const sweepRequests = await addSweepRequests(database.dialect, transaction, saleUuid, 1n);
    return { state, result: () => sweepRequests };
  });
}
