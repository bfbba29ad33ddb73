import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { requestSweep as requestStored } from "../store/read/source-status.ts";
import type { Dependencies } from "./dependencies.ts";

export function requestSweep({
  database,
  authority,
}: Dependencies): ServiceImpl<typeof CommitmentService>["requestSweep"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(context), saleUuid, "editor");
    return { sweepRequests: await requestStored(database, saleUuid) };
  };
}
