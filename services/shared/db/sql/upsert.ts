import { CompiledQuery, type Transaction } from "kysely";
import { BoundValues } from "./bound-values.ts";
import type { SqlDialect } from "./dialect.ts";

export interface UpsertTarget {
  readonly table: string;
  /** The primary key. */
  readonly keys: readonly string[];
  /** What is overwritten where the key exists; never a key column. */
  readonly values: readonly string[];
}

/**
 * One statement that inserts rows or overwrites those with the same key. The text is built here and not by Kysely's
 * builder because a batch of hundreds of rows spends more time there than in the database.
 *
 * @param rows at least one, each with its keys and values in the order of `target`.
 */
export function upsertStatement(
  dialect: SqlDialect,
  target: UpsertTarget,
  rows: readonly (readonly unknown[])[],
): CompiledQuery {
  return insertion(dialect, target, rows, dialect.upsertClause(target.keys, target.values));
}

/** As `upsertStatement`, but fails as a whole where one of the keys exists. */
export function insertStatement(
  dialect: SqlDialect,
  target: UpsertTarget,
  rows: readonly (readonly unknown[])[],
): CompiledQuery {
  return insertion(dialect, target, rows, "");
}

function insertion(
  dialect: SqlDialect,
  { table, keys, values }: UpsertTarget,
  rows: readonly (readonly unknown[])[],
  clause: string,
): CompiledQuery {
  const bound = new BoundValues(dialect);
  const statement = `insert into ${table} (${[...keys, ...values].join(", ")}) values ${bound.rows(rows)} ${clause}`;
  return CompiledQuery.raw(statement, bound.parameters);
}

/** Inserts rows or overwrites those with the same key, in one statement; none for no rows. */
export async function upsertRows<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  target: UpsertTarget,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length > 0) await transaction.executeQuery(upsertStatement(dialect, target, rows));
}

/**
 * Executes statements one after another. Each is taken from `statements`, and so put together, while the database still
 * works on the one before; it is sent only when that has succeeded.
 */
export async function executeInOrder<Schema>(
  transaction: Transaction<Schema>,
  statements: Iterable<CompiledQuery>,
): Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  try {
    for (const statement of statements) {
      await running;
      running = transaction.executeQuery(statement);
    }
  } finally {
    await running;
  }
}
