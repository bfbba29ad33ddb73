import { durationMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type {
  CommitmentService,
  ReportSourceStatusRequest,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { ReportedSuccess } from "../base/domain/sale-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { addSweepRequests, type StoredReport, storeReport } from "./source-status-store.ts";

export function reportSourceStatusRpc({
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
    return { sweepRequests: await reportSourceStatus(store, { saleUuid, leaseEpoch, report, success }) };
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

/**
 * Stores what the reader of a sale's source has found. It is shown with the sale and isn't part of the public body: no
 * revision is made.
 *
 * @returns how many sweeps have been asked for.
 * @throws ServiceError `not_found`, `aborted` if another reader has the lease by now.
 */
async function reportSourceStatus(
  { database }: Pick<CommitmentsStore, "database">,
  report: StoredReport,
): Promise<bigint> {
  const stored = await storeReport(database, report);
  if (stored !== undefined) return stored;
  await addRow(database, report);
  const requested = await storeReport(database, report);
  if (requested === undefined) throw leaseIsOver(report);
  return requested;
}

/** Adds the row for the first report of a sale. */
async function addRow(database: CommitmentsStore["database"], report: StoredReport): Promise<void> {
  await database.write(async (transaction) => {
    const { state } = await readSaleWithState(transaction, report.saleUuid);
    if (state.lease.epoch !== report.leaseEpoch) throw leaseIsOver(report);
    await addSweepRequests(database.dialect, transaction, report.saleUuid, 0n);
  });
}

function leaseIsOver({ leaseEpoch }: StoredReport): ServiceError {
  return new ServiceError("aborted", `lease epoch ${leaseEpoch} is over`);
}
