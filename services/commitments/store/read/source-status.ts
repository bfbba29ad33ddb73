import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../../shared/encoding/uuid.ts";
import type { SourceStatus } from "../../domain/sale/sale-state.ts";
import type { SaleWithState } from "../../domain/sale/sale-with-state.ts";
import { bigintOf } from "../sql/encoding.ts";
import type { CommitmentsSchema, SaleSourceStatusTable } from "../sql/schema.ts";

/** The status before the first report. */
const NO_REPORT: SourceStatus = {
  headHeight: 0n,
  fault: "",
  warning: "",
  sweep: { rowsDone: 0n, rowsTotal: 0n, running: false, sweepRequests: 0n },
  checkedAtMillis: 0n,
  sweepRequests: 0n,
};

/** Reads what was last reported about the sources of sales, by sale. */
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

/** Reads what was last reported about the source of one sale. */
export async function readSourceStatus(database: Kysely<CommitmentsSchema>, saleUuid: string): Promise<SourceStatus> {
  return (await readSourceStatuses(database, [saleUuid])).get(saleUuid) ?? NO_REPORT;
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
