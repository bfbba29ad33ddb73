import { CompiledQuery } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";

/**
 * Builds a statement that sets columns of rows. As with `upsertStatement`, the text doesn't come from Kysely's builder,
 * which takes longer than the database for a row that changes all the time.
 *
 * @param set at least one column
 * @param where values that columns have to equal
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
