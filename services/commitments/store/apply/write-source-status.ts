import type { SqlDialect } from "../../../shared/db/sql/dialect.ts";
import { tableTarget } from "../../../shared/db/sql/table-target.ts";
import { upsertRows } from "../../../shared/db/sql/upsert.ts";
import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import type { SourceStatus } from "../../domain/sale/sale-state.ts";
import type { Tx } from "../sql/sale-rows.ts";
import type { SaleSourceStatusTable } from "../sql/schema.ts";

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

/** Stores the status of a sale's source in place of the one before. */
export async function writeSourceStatus(
  dialect: SqlDialect,
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
  await upsertRows(transaction, dialect, STATUS_TARGET, [row]);
}
