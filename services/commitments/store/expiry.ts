import { sql } from "kysely";
import { RESOLUTIONS_S } from "./history.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** Rows deleted in one statement, about. */
const BATCH = 500;

/** How long rows are kept, in milliseconds. */
export interface Retention {
  /** At least 24 hours: that long a request ID is safe to repeat. */
  readonly requestsMillis: bigint;
  readonly outboxMillis: bigint;
  /** For each of `RESOLUTIONS_S`, from fine to coarse. */
  readonly historyMillis: readonly [bigint, bigint, bigint];
}

/** Rows of a table that share an index by age. */
interface AgedRows {
  readonly table: "apply_request" | "outbox" | "history";
  readonly ageColumn: "created_at_ms" | "bucket_s";
  /** Of `history`: only rows of this resolution. */
  readonly resolution?: bigint;
  /** Older rows go; in the unit of `ageColumn`. */
  readonly cutoff: bigint;
}

/** Deletes what is older than its retention, oldest first, in small batches that each hold few locks. */
export async function deleteExpired(
  database: CommitmentsDatabase,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  for (const rows of agedRows(retention, await database.nowMillis())) {
    for (let more = true; more && !signal.aborted; ) more = await deleteBatch(database, rows);
  }
}

function agedRows({ requestsMillis, outboxMillis, historyMillis }: Retention, nowMillis: bigint): AgedRows[] {
  return [
    { table: "apply_request", ageColumn: "created_at_ms", cutoff: nowMillis - requestsMillis },
    { table: "outbox", ageColumn: "created_at_ms", cutoff: nowMillis - outboxMillis },
    ...RESOLUTIONS_S.map((resolution, index) => ({
      table: "history" as const,
      ageColumn: "bucket_s" as const,
      resolution,
      cutoff: (nowMillis - (historyMillis[index] ?? 0n)) / 1000n,
    })),
  ];
}

/** @returns whether there may be more. */
async function deleteBatch(database: CommitmentsDatabase, rows: AgedRows): Promise<boolean> {
  const { table, ageColumn, resolution, cutoff } = rows;
  const age = sql.ref<bigint>(ageColumn);
  const old = sql<boolean>`${age} < ${cutoff}${resolution === undefined ? sql`` : sql` and resolution_s = ${resolution}`}`;
  const last = sql<{ age: bigint | string }>`
    select ${age} as age from ${sql.table(table)} where ${old} order by ${age} limit 1 offset ${sql.lit(BATCH - 1)}`;
  const edge = (await database.read((connection) => last.execute(connection))).rows[0]?.age;
  const batch = edge === undefined ? old : sql`${old} and ${age} <= ${edge}`;
  await database.write((transaction) => sql`delete from ${sql.table(table)} where ${batch}`.execute(transaction));
  return edge !== undefined;
}
