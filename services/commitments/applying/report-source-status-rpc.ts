import { durationMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { inBatches } from "../../../common/platform/db/batches.ts";
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
import { addReportRows, type StoredReport, storeReports } from "./source-status-store.ts";

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
      const requested = await storeAll(store.database, batch.map(reportOf));
      for (const [index, { saleUuid }] of batch.entries()) {
        const sweepRequests = requested[index];
        if (sweepRequests !== undefined) stored.push({ saleUuid, sweepRequests });
      }
    }
    return { stored };
  };
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
  const [requested] = await storeAll(database, [report]);
  if (requested !== undefined) return requested;
  await database.snapshot((transaction) => readSaleWithState(transaction, report.saleUuid));
  throw leaseIsOver(report);
}

/** Stores reports as `storeReports` does, those that are the first of their sales too. */
async function storeAll(
  database: CommitmentsStore["database"],
  reports: readonly StoredReport[],
): Promise<readonly (bigint | undefined)[]> {
  const requested = await storeReports(database, reports);
  const missing = reports.filter((_, index) => requested[index] === undefined);
  const added = missing.length === 0 ? [] : await addReportRows(database, missing);
  const later = added.length === 0 ? [] : await storeReports(database, added);
  const ofAdded = new Map(added.map((report, index) => [report, later[index]]));
  return reports.map((report, index) => requested[index] ?? ofAdded.get(report));
}

function leaseIsOver({ leaseEpoch }: StoredReport): ServiceError {
  return new ServiceError("aborted", `lease epoch ${leaseEpoch} is over`);
}
