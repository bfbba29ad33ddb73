import { CompiledQuery, type Transaction } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";
import type { StatementRow } from "./hex-bytes.ts";
import type { TableTarget } from "./table-target.ts";

/**
 * Builds one statement that inserts rows, or overwrites those with the same key. The text doesn't come from Kysely's
 * builder: for a batch of hundreds of rows that takes longer than the database itself.
 *
 * @param rows at least one
 */
export function upsertStatement<Row>(
  dialect: SqlDialect,
  target: TableTarget<Row>,
  rows: readonly StatementRow<Row>[],
): CompiledQuery {
  return insertion(dialect, target, rows, dialect.upsertClause(target.keys, target.values));
}

/** Builds one statement that inserts rows, at least one. It fails as a whole if one of the keys exists. */
export function insertStatement<Row>(
  dialect: SqlDialect,
  target: TableTarget<Row>,
  rows: readonly StatementRow<Row>[],
): CompiledQuery {
  return insertion(dialect, target, rows, "");
}

function insertion<Row>(
  dialect: SqlDialect,
  { table, columns }: TableTarget<Row>,
  rows: readonly StatementRow<Row>[],
  clause: string,
): CompiledQuery {
  const bound = new BoundValues(dialect);
  const values = bound.rows(rows.map((row) => columns.map((column) => row[column])));
  return CompiledQuery.raw(`insert into ${table} (${columns.join(", ")}) values ${values} ${clause}`, bound.parameters);
}

/** Inserts rows, or overwrites those with the same key, in one statement; does nothing without rows. */
export async function upsertRows<Schema, Row>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  target: TableTarget<Row>,
  rows: readonly StatementRow<Row>[],
): Promise<void> {
  if (rows.length > 0) await transaction.executeQuery(upsertStatement(dialect, target, rows));
}
