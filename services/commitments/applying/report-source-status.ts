import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { addSweepRequests, type StoredReport, storeReport } from "./source-status-store.ts";

/**
 * Stores what the reader of a sale's source has found. It is shown with the sale and isn't part of the public body: no
 * revision is made.
 *
 * @returns how many sweeps have been asked for.
 * @throws ServiceError `not_found`, `aborted` if another reader has the lease by now.
 */
export async function reportSourceStatus(
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
