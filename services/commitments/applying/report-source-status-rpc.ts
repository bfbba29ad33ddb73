import { durationMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type {
  CommitmentService,
  ReportSourceStatusRequest,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { inBatches } from "../base/batches.ts";
import type { CommitmentsContext } from "../base/context.ts";
import type { ReportedSuccess } from "../base/domain/sale-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { addSweepRequests, type StoredReport, storeReports } from "./source-status-store.ts";

/** Reports in one transaction, which locks their rows: each is written again every other second. */
const STORED_AT_ONCE = 50;

export function reportSourceStatusRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["reportSourceStatus"] {
  return async (request) => ({ sweepRequests: await reportSourceStatus(store, reportOf(request)) });
}

export function reportSourceStatusesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["reportSourceStatuses"] {
  return async ({ reports }) => {
    const stored: { saleUuid: string; sweepRequests: bigint }[] = [];
    for (const batch of inBatches(reports, STORED_AT_ONCE)) {
      const requested = await storeReports(store.database, batch.map(reportOf));
      const missing: ReportSourceStatusRequest[] = [];
      for (const [index, report] of batch.entries()) {
        const sweepRequests = requested[index];
        if (sweepRequests === undefined) missing.push(report);
        else stored.push({ saleUuid: report.saleUuid, sweepRequests });
      }
      for (const report of missing) {
        const sweepRequests = await reportSourceStatus(store, reportOf(report)).catch(ignoreRefused);
        if (sweepRequests !== undefined) stored.push({ saleUuid: report.saleUuid, sweepRequests });
      }
    }
    return { stored };
  };
}

/** A report that is refused, because its lease is over or its sale is gone, says nothing about the others. */
function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

function reportOf(request: ReportSourceStatusRequest): StoredReport {
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
  return { saleUuid: request.saleUuid.toLowerCase(), leaseEpoch, report, success: successOf(request) };
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
  const [stored] = await storeReports(database, [report]);
  if (stored !== undefined) return stored;
  await addRow(database, report);
  const [requested] = await storeReports(database, [report]);
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
