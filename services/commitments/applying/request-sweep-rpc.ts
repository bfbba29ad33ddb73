import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { requestSweep as requestStored } from "./request-sweep.ts";

export function requestSweep({
  store,
  authority,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["requestSweep"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(context), saleUuid, "editor");
    return { sweepRequests: await requestStored(store, saleUuid) };
  };
}
