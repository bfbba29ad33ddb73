import { CompiledQuery } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";

/** Rows of a table with a counter of locks, `locks`. */
export interface LockableRows {
  readonly table: string;
  readonly column: string;
  /** At least one. */
  readonly values: readonly Uint8Array[];
}

/**
 * Builds the statement that locks rows until the end of the transaction, for a message with others.
 *
 * It writes the rows instead of reading them: locks of a Galera cluster hold on one server, and only writes conflict. So of two
 * transactions that lock a row at two servers, one is refused at its commit, and runs again.
 *
 * @returns undefined on SQLite, which is one process and has locked everything already
 */
export function lockRowsStatement(
  dialect: SqlDialect,
  { table, column, values }: LockableRows,
): CompiledQuery | undefined {
  if (dialect.name === "sqlite") return undefined;
  const bound = new BoundValues(dialect);
  const text = `update ${table} set locks = coalesce(locks, 0) + 1 where ${column} in ${bound.list(values)}`;
  return CompiledQuery.raw(text, bound.parameters);
}
