import type { Kysely } from "kysely";
import { tableTarget } from "../../../shared/db/sql/table-target.ts";
import { upsertRows } from "../../../shared/db/sql/upsert.ts";
import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../../shared/encoding/uuid.ts";
import { ServiceError } from "../../../shared/errors/service-error.ts";
import type { SourceReport, SourceStatus } from "../../domain/sale/sale-state.ts";
import type { SaleWithState } from "../../domain/sale/sale-with-state.ts";
import { changeSale } from "../apply/change-sale.ts";
import { bigintOf } from "../sql/encoding.ts";
import type { Tx } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentsSchema, SaleSourceStatusTable } from "../sql/schema.ts";

const STATUS_TARGET = tableTarget<SaleSourceStatusTable>("sale_source_status", {
  sale: "key",
  head_height: "value",
  fault: "value",
  warning: "value",
  checked_at_ms: "value",
  sweep_rows_done: "value",
  sweep_rows_total: "value",
  sweep_running: "value",
  sweep_answers: "value",
  sweep_requests: "value",
});

const NOTHING_YET: SourceStatus = {
  headHeight: 0n,
  fault: "",
  warning: "",
  sweep: { rowsDone: 0n, rowsTotal: 0n, running: false, sweepRequests: 0n },
  checkedAtMillis: 0n,
  sweepRequests: 0n,
};

/** What was last reported of the sources of sales, by sale. */
export async function readSourceStatuses(
  database: Kysely<CommitmentsSchema>,
  saleUuids: readonly string[],
): Promise<ReadonlyMap<string, SourceStatus>> {
  if (saleUuids.length === 0) return new Map();
  const rows = await database
    .selectFrom("sale_source_status")
    .selectAll()
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .execute();
  return new Map(rows.map((row) => [uuidFromBytes(row.sale), decodeStatus(row)]));
}

function decodeStatus(row: SaleSourceStatusTable): SourceStatus {
  return {
    headHeight: bigintOf(row.head_height),
    fault: row.fault,
    warning: row.warning,
    sweep: {
      rowsDone: bigintOf(row.sweep_rows_done),
      rowsTotal: bigintOf(row.sweep_rows_total),
      running: Number(row.sweep_running) === 1,
      sweepRequests: bigintOf(row.sweep_answers),
    },
    checkedAtMillis: bigintOf(row.checked_at_ms),
    sweepRequests: bigintOf(row.sweep_requests),
  };
}

export function withSourceStatus(sale: SaleWithState, statuses: ReadonlyMap<string, SourceStatus>): SaleWithState {
  const sourceStatus = statuses.get(sale.sale.uuid);
  return sourceStatus === undefined ? sale : { ...sale, sourceStatus };
}

/**
 * Keeps what the reader of a sale's source found. It shows in the sale, not in its public body: no revision is made.
 *
 * @returns how many sweeps have been asked for.
 * @throws ServiceError `not_found`, `aborted` where another reader holds the lease by now.
 */
export async function reportSourceStatus(
  database: CommitmentsDatabase,
  saleUuid: string,
  leaseEpoch: bigint,
  report: SourceReport,
): Promise<bigint> {
  return changeSale(database, saleUuid, async ({ transaction, state, nowMillis }) => {
    if (state.lease.epoch !== leaseEpoch) throw new ServiceError("aborted", `lease epoch ${leaseEpoch} is over`);
    const { sweepRequests } = await readStatus(transaction, saleUuid);
    await writeStatus(database, transaction, saleUuid, { ...report, checkedAtMillis: nowMillis, sweepRequests });
    return { state, result: () => sweepRequests };
  });
}

/**
 * Asks for one more sweep.
 *
 * @returns the number of the request.
 * @throws ServiceError `not_found`, `failed_precondition` for a sale without a source.
 */
export async function requestSweep(database: CommitmentsDatabase, saleUuid: string): Promise<bigint> {
  return changeSale(database, saleUuid, async ({ transaction, sale, state }) => {
    if (sale.definition.source === undefined) throw new ServiceError("failed_precondition", "the sale has no source");
    const status = await readStatus(transaction, saleUuid);
    const sweepRequests = status.sweepRequests + 1n;
    await writeStatus(database, transaction, saleUuid, { ...status, sweepRequests });
    return { state, result: () => sweepRequests };
  });
}

async function readStatus(transaction: Tx, saleUuid: string): Promise<SourceStatus> {
  return (await readSourceStatuses(transaction, [saleUuid])).get(saleUuid) ?? NOTHING_YET;
}

async function writeStatus(
  database: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
  status: SourceStatus,
): Promise<void> {
  const { sweep } = status;
  const row: SaleSourceStatusTable = {
    sale: bytesOfHex(saleUuid),
    head_height: status.headHeight,
    fault: status.fault,
    warning: status.warning,
    checked_at_ms: status.checkedAtMillis,
    sweep_rows_done: sweep.rowsDone,
    sweep_rows_total: sweep.rowsTotal,
    sweep_running: sweep.running ? 1 : 0,
    sweep_answers: sweep.sweepRequests,
    sweep_requests: status.sweepRequests,
  };
  await upsertRows(transaction, database.dialect, STATUS_TARGET, [row]);
}
