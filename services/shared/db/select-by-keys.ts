import { CompiledQuery, type Transaction } from "kysely";
import type { SqlDialect } from "./dialect.ts";

export interface KeyedSelection {
  readonly table: string;
  readonly columns: readonly string[];
  /** What has to equal, by column. */
  readonly where: Readonly<Record<string, unknown>>;
  /** The column that has to be one of the keys. */
  readonly key: string;
}

/**
 * The rows under some of hundreds of keys. As with `upsertStatement`, the text isn't built by Kysely's builder, which
 * would take longer than the database.
 *
 * @param keys at least one.
 */
export async function selectByKeys<Row, Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  { table, columns, where, key }: KeyedSelection,
  keys: readonly unknown[],
): Promise<readonly Row[]> {
  const conditions = Object.entries({ ...where, [key]: keys }).map(([column, values]) => {
    const { text, parameters } = dialect.valuesOf([Array.isArray(values) ? values : [values]]);
    return { text: `${column} in ${text}`, parameters };
  });
  const statement = `select ${columns.join(", ")} from ${table} where ${conditions.map(({ text }) => text).join(" and ")}`;
  const parameters = conditions.flatMap((condition) => condition.parameters);
  const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(statement, parameters));
  return rows;
}
