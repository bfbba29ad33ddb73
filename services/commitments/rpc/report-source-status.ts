import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { reportSourceStatus as reportStored } from "../use-cases/report-source-status.ts";
import type { Dependencies } from "./dependencies.ts";

export function reportSourceStatus({
  store,
}: Dependencies): ServiceImpl<typeof CommitmentService>["reportSourceStatus"] {
  return async ({ saleUuid, leaseEpoch, headHeight, fault, warning, sweep }) => {
    const sweepRequests = await reportStored(store, saleUuid.toLowerCase(), leaseEpoch, {
      headHeight,
      fault,
      warning,
      sweep: {
        rowsDone: sweep?.rowsDone ?? 0n,
        rowsTotal: sweep?.rowsTotal ?? 0n,
        running: sweep?.running ?? false,
        sweepRequests: sweep?.sweepRequests ?? 0n,
      },
    });
    return { sweepRequests };
  };
}
