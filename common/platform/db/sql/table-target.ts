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
