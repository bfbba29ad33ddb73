import { CompiledQuery } from "kysely";
import type { SqlDialect } from "./dialect.ts";

/**
 * Sets columns of the row under a key. As with `upsertStatement`, the text isn't built by Kysely's builder: for a row that changes
 * all the time that takes longer than the database.
 *
 * @param set at least one column
 * @param key column and value
 */
export function updateStatement(
  dialect: SqlDialect,
  table: string,
  set: Readonly<Record<string, unknown>>,
  [column, value]: readonly [string, unknown],
): CompiledQuery {
  const bound = [...Object.values(set), value].map((each) => dialect.valuesOf([[each]]));
  const texts = bound.map(({ text }) => text);
  const assignments = Object.keys(set).map((name, index) => `${name} = ${texts[index]}`);
  const parameters = bound.flatMap((each) => each.parameters);
  return CompiledQuery.raw(
    `update ${table} set ${assignments.join(", ")} where ${column} = ${texts.at(-1)}`,
    parameters,
  );
}
