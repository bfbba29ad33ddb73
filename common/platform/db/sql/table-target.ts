/** The name of a column of `Row`. */
export type ColumnOf<Row> = keyof Row & string;

/** A table that rows are written to. Made by `tableTarget`. */
export interface TableTarget<Row> {
  readonly table: string;
  /** The columns of the primary key. */
  readonly keys: readonly ColumnOf<Row>[];
  /** All other columns: those that an upsert overwrites. */
  readonly values: readonly ColumnOf<Row>[];
  /** All columns, in the order in which a statement lists them. */
  readonly columns: readonly ColumnOf<Row>[];
}

/**
 * Describes a table that rows of the type `Row` are written to.
 *
 * @param parts says for each column whether it belongs to the primary key; a column that is left out doesn't compile.
 */
export function tableTarget<Row>(
  table: string,
  parts: Readonly<Record<ColumnOf<Row>, "key" | "value">>,
): TableTarget<Row> {
  const columns = Object.keys(parts) as ColumnOf<Row>[];
  const keys = columns.filter((column) => parts[column] === "key");
  const values = columns.filter((column) => parts[column] === "value");
  return Object.freeze({ table, keys, values, columns });
}

/** Returns a table to which rows are written without one of its values: it keeps the one that it has, or is null in a new row. */
export function withoutValue<Row>(target: TableTarget<Row>, column: ColumnOf<Row>): TableTarget<Row> {
  const others = (columns: readonly ColumnOf<Row>[]) => columns.filter((one) => one !== column);
  return Object.freeze({ ...target, values: others(target.values), columns: others(target.columns) });
}
