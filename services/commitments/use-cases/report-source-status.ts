import { ServiceError } from "../../shared/errors/service-error.ts";
import type { SourceReport } from "../domain/sale/sale-state.ts";
import { writeSourceStatus } from "../store/apply/write-source-status.ts";
import { readSourceStatus } from "../store/read/source-status.ts";
import type { CommitmentsStore } from "./commitments-store.ts";

/**
 * Stores what the reader of a sale's source has found. It is shown with the sale and isn't part of the public body: no
 * revision is made.
 *
 * @returns how many sweeps have been asked for.
 * @throws ServiceError `not_found`, `aborted` if another reader has the lease by now.
 */
export async function reportSourceStatus(
  { database, changes }: CommitmentsStore,
  saleUuid: string,
  leaseEpoch: bigint,
  report: SourceReport,
): Promise<bigint> {
  return changes.run(saleUuid, async ({ transaction, state, nowMillis }) => {
    if (state.lease.epoch !== leaseEpoch) throw new ServiceError("aborted", `lease epoch ${leaseEpoch} is over`);
    const { sweepRequests } = await readSourceStatus(transaction, saleUuid);
    const status = { ...report, checkedAtMillis: nowMillis, sweepRequests };
    await writeSourceStatus(database.dialect, transaction, saleUuid, status);
    return { state, result: () => sweepRequests };
  });
}
