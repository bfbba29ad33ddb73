import type { Kysely } from "kysely";
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

const STATUS_TARGET = {
  table: "sale_source_status",
  keys: ["sale"],
  values: [
    "head_height",
    "fault",
    "warning",
    "checked_at_ms",
    "sweep_rows_done",
    "sweep_rows_total",
    "sweep_running",
    "sweep_answers",
    "sweep_requests",
  ],
};

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
  const row = [
    bytesOfHex(saleUuid),
    status.headHeight,
    status.fault,
    status.warning,
    status.checkedAtMillis,
    sweep.rowsDone,
    sweep.rowsTotal,
    sweep.running ? 1 : 0,
    sweep.sweepRequests,
    status.sweepRequests,
  ];
  await upsertRows(transaction, database.dialect, STATUS_TARGET, [row]);
}
