import { CompiledQuery } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";

export interface KeyedRows {
  readonly table: string;
  /** What has to equal, by column. */
  readonly where: Readonly<Record<string, unknown>>;
  /** The column that has to be one of the keys. */
  readonly key: string;
}

/**
 * Reads the rows under some of hundreds of keys. As with `upsertStatement`, the text isn't built by Kysely's builder, which
 * would take longer than the database.
 *
 * @param keys at least one.
 */
export function selectByKeys(
  dialect: SqlDialect,
  rows: KeyedRows & { readonly columns: readonly string[] },
  keys: readonly unknown[],
): CompiledQuery {
  return statement(dialect, `select ${rows.columns.join(", ")}`, rows, keys);
}

/** Deletes the rows under some of hundreds of keys; see `selectByKeys`. */
export function deleteByKeys(dialect: SqlDialect, rows: KeyedRows, keys: readonly unknown[]): CompiledQuery {
  return statement(dialect, "delete", rows, keys);
}

function statement(
  dialect: SqlDialect,
  verb: string,
  { table, where, key }: KeyedRows,
  keys: readonly unknown[],
): CompiledQuery {
  const bound = new BoundValues(dialect);
  const conditions = Object.entries({ ...where, [key]: keys }).map(
    ([column, values]) => `${column} in ${bound.list(Array.isArray(values) ? values : [values])}`,
  );
  return CompiledQuery.raw(`${verb} from ${table} where ${conditions.join(" and ")}`, bound.parameters);
}
