import { CompiledQuery, type Transaction } from "kysely";
import type { SqlDialect } from "./dialect.ts";

export interface UpsertTarget {
  readonly table: string;
  /** The primary key. */
  readonly keys: readonly string[];
  /** What is overwritten where the key exists; never a key column. */
  readonly values: readonly string[];
}

/**
 * Inserts rows or overwrites those with the same key, in one statement. The text is built here and not by Kysely's
 * builder because a batch of hundreds of rows spends more time there than in the database.
 *
 * @param rows each with its keys and values in the order of `target`.
 */
export async function upsertRows<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  target: UpsertTarget,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...target.keys, ...target.values];
  const placeholders = `(${columns.map(() => "?").join(", ")})`;
  const statement = [
    `insert into ${target.table} (${columns.join(", ")})`,
    `values ${new Array(rows.length).fill(placeholders).join(", ")}`,
    dialect.upsertClause(target.keys, target.values),
  ].join(" ");
  await transaction.executeQuery(CompiledQuery.raw(statement, rows.flat()));
}
