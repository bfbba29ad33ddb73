import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { requestSweep as requestStored } from "../store/source-status.ts";
import type { Dependencies } from "./dependencies.ts";

export function requestSweep({ database }: Dependencies): ServiceImpl<typeof CommitmentService>["requestSweep"] {
  return async ({ saleUuid }) => ({ sweepRequests: await requestStored(database, saleUuid.toLowerCase()) });
}
