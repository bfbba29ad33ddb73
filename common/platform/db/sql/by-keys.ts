import { CompiledQuery } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";
import type { ColumnOf, TableTarget } from "./table-target.ts";

/** Rows under some of many keys. */
export interface KeyedRows<Row> {
  /** Values that columns have to equal. */
  readonly where: Partial<Row>;
  /** The column that has to be one of the keys. */
  readonly key: ColumnOf<Row>;
}

/** The columns to read, and the order of the rows. */
export interface Selection<Column extends string> {
  readonly columns: readonly Column[];
  readonly orderBy?: readonly Column[];
  readonly limit?: number;
}

/**
 * Builds a statement that reads the rows under some of hundreds of keys. As with `upsertStatement`, the text doesn't come
 * from Kysely's builder, which would take longer than the database.
 *
 * @param keys at least one.
 */
export function selectByKeys<Row, Column extends ColumnOf<Row>>(
  dialect: SqlDialect,
  { table }: TableTarget<Row>,
  { columns, orderBy, limit, ...rows }: NoInfer<KeyedRows<Row>> & Selection<Column>,
  keys: readonly unknown[],
): CompiledQuery<Pick<Row, Column>> {
  const bound = new BoundValues(dialect);
  const order = orderBy === undefined ? "" : ` order by ${orderBy.join(", ")}`;
  const bounded = limit === undefined ? "" : ` limit ${limit}`;
  const text = `select ${columns.join(", ")} from ${table} ${conditions(bound, rows, keys)}${order}${bounded}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Builds a statement that deletes the rows under some of hundreds of keys; see `selectByKeys`. */
export function deleteByKeys<Row>(
  dialect: SqlDialect,
  { table }: TableTarget<Row>,
  rows: NoInfer<KeyedRows<Row>>,
  keys: readonly unknown[],
): CompiledQuery {
  const bound = new BoundValues(dialect);
  return CompiledQuery.raw(`delete from ${table} ${conditions(bound, rows, keys)}`, bound.parameters);
}

function conditions<Row>(bound: BoundValues, { where, key }: KeyedRows<Row>, keys: readonly unknown[]): string {
  const equal = Object.entries(where).map(([column, value]) => `${column} = ${bound.one(value)}`);
  return `where ${[...equal, `${key} in ${bound.list(keys)}`].join(" and ")}`;
}
