import { CompiledQuery } from "kysely";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { ReportedSuccess, SourceReport } from "../base/domain/sale-state.ts";
import { bigintOf } from "../base/encoding.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, SaleSourceStatusTable } from "../base/schema.ts";

type Columns = Partial<SaleSourceStatusTable>;

/** A reader's report about a sale, with the lease that it holds. */
export interface StoredReport {
  readonly saleUuid: string;
  readonly leaseEpoch: bigint;
  readonly report: SourceReport;
  /** Present if the reader has found the stored commitments equal to those of the source. */
  readonly success: ReportedSuccess | undefined;
}

/**
 * Stores reports in the rows of their sales, in one message. It locks no sale: reports come every other second, and no apply should
 * wait for them.
 *
 * @param reports of one sale each; rows are locked in the order of their sales, so that two calls never wait for each other
 * @returns for each report how many sweeps were requested; undefined if the sale has no row yet, or another lease
 */
export async function storeReports(
  database: CommitmentsDatabase,
  reports: readonly StoredReport[],
): Promise<readonly (bigint | undefined)[]> {
  const { dialect } = database;
  const inOrder = reports.toSorted((a, b) => (a.saleUuid < b.saleUuid ? -1 : 1));
  const statements = inOrder.flatMap((report) => [
    updateReport(dialect, report),
    selectSweepRequests(dialect, report.saleUuid),
  ]);
  const results = await database.write((transaction) => executeAndCommit(transaction, dialect, statements));
  const requested = new Map(
    inOrder.map((report, index) => {
      const [updated, read] = results.slice(2 * index, 2 * index + 2);
      return [
        report,
        updated?.affectedRows === 1n ? sweepRequestsOf((read?.rows ?? []) as SweepRequestsRow[]) : undefined,
      ];
    }),
  );
  return reports.map((report) => requested.get(report));
}

/** Adds rows without a report for sales that have none, in one message. @returns the reports whose leases aren't over */
export async function addReportRows(
  database: CommitmentsDatabase,
  reports: readonly StoredReport[],
): Promise<readonly StoredReport[]> {
  const { dialect } = database;
  const inOrder = reports.toSorted((a, b) => (a.saleUuid < b.saleUuid ? -1 : 1));
  return database.write(async (transaction) => {
    const rows = await transaction
      .selectFrom("sale_state")
      .select(["sale", "lease_epoch"])
      .where(
        "sale",
        "in",
        inOrder.map(({ saleUuid }) => bytesOfHex(saleUuid)),
      )
      .execute();
    const epochs = new Map(rows.map(({ sale, lease_epoch }) => [uuidFromBytes(sale), bigintOf(lease_epoch)]));
    const held = inOrder.filter(({ saleUuid, leaseEpoch }) => epochs.get(saleUuid) === leaseEpoch);
    const inserts = held.map(({ saleUuid }) => insertOrAdd(dialect, saleUuid, 0n));
    if (inserts.length > 0) await executeBatch(transaction, dialect, inserts);
    return held;
  });
}

type SweepRequestsRow = Pick<SaleSourceStatusTable, "sweep_requests">;

/** Counts more requested sweeps, in a new row if no report has been stored. @returns how many were requested */
export async function addSweepRequests(
  dialect: SqlDialect,
  transaction: Tx,
  saleUuid: string,
  count: bigint,
): Promise<bigint> {
  const statements = [insertOrAdd(dialect, saleUuid, count), selectSweepRequests(dialect, saleUuid)] as const;
  const [, read] = await executeBatch(transaction, dialect, statements);
  return sweepRequestsOf(read.rows);
}

function sweepRequestsOf([row]: readonly SweepRequestsRow[]): bigint {
  return bigintOf(row?.sweep_requests ?? 0n);
}

/** Builds the statement that stores a report, if its reader has the lease. */
function updateReport(dialect: SqlDialect, { saleUuid, leaseEpoch, report, success }: StoredReport): CompiledQuery {
  const bound = new BoundValues(dialect);
  const sale = bytesOfHex(saleUuid);
  const now = dialect.nowMillisText;
  const columns = { ...reportColumns(report), ...(success === undefined ? {} : successColumns(success)) };
  const assignments = Object.entries(columns).map(([name, value]) => `${name} = ${bound.one(value)}`);
  const status = `(select status from sale_state where sale = ${bound.one(sale)})`;
  const settledSince = `case when ${status} = ${bound.one("settled")} then coalesce(settled_since_ms, ${now}) end`;
  const text =
    `update sale_source_status set ${assignments.join(", ")}, settled_since_ms = ${settledSince}, checked_at_ms = ${now}` +
    `${success === undefined ? "" : `, success_at_ms = ${now}`} where sale = ${bound.one(sale)}` +
    ` and exists (select 1 from sale_state where sale = ${bound.one(sale)} and lease_epoch = ${bound.one(leaseEpoch)})`;
  return CompiledQuery.raw(text, bound.parameters);
}

function reportColumns({ headHeight, fault, warning, sweep, chain }: SourceReport) {
  return {
    ...(chain && { chain_id: chain.chainId, contract_url: chain.contractUrl }),
    head_height: headHeight,
    fault,
    warning,
    sweep_rows_done: sweep.rowsDone,
    sweep_rows_total: sweep.rowsTotal,
    sweep_running: sweep.running ? 1 : 0,
    sweep_answers: sweep.sweepRequests,
  } satisfies Columns;
}

function successColumns({ position, blockTimeSeconds, readIntervalMillis }: ReportedSuccess) {
  return {
    as_of_height: position.height,
    as_of_hash: bytesOfHex(position.hash),
    as_of_time_s: blockTimeSeconds ?? null,
    read_interval_ms: readIntervalMillis,
  } satisfies Columns;
}

function insertOrAdd(dialect: SqlDialect, saleUuid: string, count: bigint): CompiledQuery {
  const bound = new BoundValues(dialect);
  const row = {
    sale: bytesOfHex(saleUuid),
    head_height: 0n,
    fault: "",
    warning: "",
    checked_at_ms: 0n,
    sweep_rows_done: 0n,
    sweep_rows_total: 0n,
    sweep_running: 0,
    sweep_answers: 0n,
    sweep_requests: count,
  } satisfies Columns;
  const values = bound.list(Object.values(row));
  const clause = dialect.addClause(["sale"], "sweep_requests");
  const text = `insert into sale_source_status (${Object.keys(row).join(", ")}) values ${values} ${clause}`;
  return CompiledQuery.raw(text, bound.parameters);
}

function selectSweepRequests(dialect: SqlDialect, saleUuid: string): CompiledQuery<SweepRequestsRow> {
  const bound = new BoundValues(dialect);
  const text = `select sweep_requests from sale_source_status where sale = ${bound.one(bytesOfHex(saleUuid))}`;
  return CompiledQuery.raw(text, bound.parameters);
}
