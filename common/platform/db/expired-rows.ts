import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** The approximate number of rows that one statement deletes. */
const BATCH = 500;

/** Rows of a table that an index orders by age. */
export interface ExpiredRows {
  readonly table: string;
  readonly ageColumn: string;
  /** Rows with an older value are deleted. In the unit of `ageColumn`. */
  readonly cutoff: bigint;
  /** A condition that selects one kind of the table's rows. In the index its column comes before the age. */
  readonly kind?: RawBuilder<unknown>;
}

/** Deletes old rows, the oldest first, in small batches that each hold few locks. It stops between two of them. */
export async function deleteExpiredRows<Schema>(
  database: Database<Schema>,
  aged: readonly ExpiredRows[],
  signal: AbortSignal,
): Promise<void> {
  for (const rows of aged) {
    for (let more = true; more && !signal.aborted; ) more = await deleteBatch(database, rows);
  }
}

/** @returns whether there may be more */
async function deleteBatch<Schema>(
  database: Database<Schema>,
  { table, ageColumn, cutoff, kind }: ExpiredRows,
): Promise<boolean> {
  const age = sql.ref<bigint>(ageColumn);
  const old = sql<boolean>`${age} < ${cutoff}${kind === undefined ? sql`` : sql` and ${kind}`}`;
  const last = sql<{ age: bigint | string }>`
    select ${age} as age from ${sql.table(table)} where ${old} order by ${age} limit 1 offset ${sql.lit(BATCH - 1)}`;
  const edge = (await database.read((connection) => last.execute(connection))).rows[0]?.age;
  const batch = edge === undefined ? old : sql`${old} and ${age} <= ${edge}`;
  await database.write((transaction) => sql`delete from ${sql.table(table)} where ${batch}`.execute(transaction));
  return edge !== undefined;
}
