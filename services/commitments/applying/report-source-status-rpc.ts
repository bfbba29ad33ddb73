import { durationMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type {
  CommitmentService,
  ReportSourceStatusRequest,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { ReportedSuccess } from "../base/domain/sale-state.ts";
import { reportSourceStatus as reportStored } from "./report-source-status.ts";

export function reportSourceStatus({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["reportSourceStatus"] {
  return async (request) => {
    const { leaseEpoch, headHeight, fault, warning, sweep, chain } = request;
    const report = {
      headHeight,
      fault,
      warning,
      sweep: {
        rowsDone: sweep?.rowsDone ?? 0n,
        rowsTotal: sweep?.rowsTotal ?? 0n,
        running: sweep?.running ?? false,
        sweepRequests: sweep?.sweepRequests ?? 0n,
      },
      ...(chain && { chain: { chainId: chain.chainId, contractUrl: chain.contractUrl } }),
    };
    const saleUuid = request.saleUuid.toLowerCase();
    const success = successOf(request);
    return { sweepRequests: await reportStored(store, { saleUuid, leaseEpoch, report, success }) };
  };
}

function successOf({ asOf, blockTimeSeconds, readInterval }: ReportSourceStatusRequest): ReportedSuccess | undefined {
  if (asOf === undefined) return undefined;
  return {
    position: { height: asOf.height, hash: hexOfBytes(asOf.hash) },
    ...(blockTimeSeconds === undefined ? {} : { blockTimeSeconds }),
    readIntervalMillis: BigInt(readInterval === undefined ? 0 : durationMs(readInterval)),
  };
}
