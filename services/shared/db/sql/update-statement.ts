import { CompiledQuery } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";

/**
 * Sets columns of the row under a key. As with `upsertStatement`, the text isn't built by Kysely's builder: for a row that changes
 * all the time that takes longer than the database.
 *
 * @param set at least one column
 * @param where what has to equal, by column
 */
export function updateStatement(
  dialect: SqlDialect,
  table: string,
  set: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
): CompiledQuery {
  const bound = new BoundValues(dialect);
  const assignments = Object.entries(set).map(([name, value]) => `${name} = ${bound.one(value)}`);
  const conditions = Object.entries(where).map(([name, value]) =>
    value === null ? `${name} is null` : `${name} = ${bound.one(value)}`,
  );
  return CompiledQuery.raw(
    `update ${table} set ${assignments.join(", ")} where ${conditions.join(" and ")}`,
    bound.parameters,
  );
}
