import { CompiledQuery, type Transaction } from "kysely";
import type { SqlDialect } from "./dialect.ts";

/** What one of several statements answers. */
export interface StatementResult {
  /** Of a `select`; else empty. */
  readonly rows: readonly unknown[];
  /** Rows that an `update` or `delete` has found. */
  readonly affectedRows: bigint;
}

/**
 * Executes statements in their order, none of which needs the answer of another: in one message where the database takes
 * several (SQLite, in the process itself, has no messages). Where one fails, none of the later ones is done.
 */
export async function executeBatch<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
): Promise<readonly StatementResult[]> {
  const [first, second] = statements;
  if (first !== undefined && second !== undefined && dialect.messageOf !== undefined) {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(dialect.messageOf(statements)));
    return rows.map(resultOf);
  }
  const results: StatementResult[] = [];
  for (const statement of statements) {
    const { rows, numAffectedRows = 0n } = await transaction.executeQuery(statement);
    results.push({ rows, affectedRows: numAffectedRows });
  }
  return results;
}

/**
 * As `executeBatch`, and the end of the transaction's work: where the database takes several statements at once, the
 * commit goes with them. Nothing may be executed in the transaction after it.
 */
export async function executeAndCommit<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
): Promise<readonly StatementResult[]> {
  if (dialect.messageOf === undefined || statements.length === 0) {
    return executeBatch(transaction, dialect, statements);
  }
  const message = CompiledQuery.raw(dialect.committing(dialect.messageOf(statements)));
  const { rows } = await transaction.executeQuery(message);
  return rows.slice(0, -1).map(resultOf);
}

/** As mysql2 tells it: rows, or a header. */
function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affectedRows: 0n };
  return { rows: [], affectedRows: BigInt((result as { readonly affectedRows: number }).affectedRows) };
}
