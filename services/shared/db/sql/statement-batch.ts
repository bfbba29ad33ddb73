import type { CompiledQuery, Transaction } from "kysely";
import type { SqlDialect } from "./dialect.ts";
import { statementMessage } from "./statement-message.ts";

/** The result of one of several statements. */
export interface StatementResult {
  /** The rows of a `select`; empty for other statements. */
  readonly rows: readonly unknown[];
  /** The number of rows that an `update` or `delete` has found. */
  readonly affectedRows: bigint;
}

/**
 * Executes statements in order, none of which needs the answer of another. They travel in one message where the database
 * takes several (SQLite runs in the process and has no messages). Where one fails, no later one is executed.
 */
export async function executeBatch<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
): Promise<readonly StatementResult[]> {
  return executeStatements(transaction, dialect, statements, { commits: false });
}

/**
 * Executes the last statements of a transaction like `executeBatch`. Where the database takes several statements in one
 * message, the commit travels with them. Nothing may be executed in the transaction after it.
 */
export async function executeAndCommit<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
): Promise<readonly StatementResult[]> {
  return executeStatements(transaction, dialect, statements, { commits: true });
}

async function executeStatements<Schema>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
  { commits }: { readonly commits: boolean },
): Promise<readonly StatementResult[]> {
  const count = statements.length;
  if (dialect.messageOf !== undefined && (count > 1 || (count === 1 && commits))) {
    const message = statementMessage(dialect.messageOf(statements), { statements: count, commits });
    const { rows } = await transaction.executeQuery(message);
    return rows.map(resultOf);
  }
  const results: StatementResult[] = [];
  for (const statement of statements) {
    const { rows, numAffectedRows = 0n } = await transaction.executeQuery(statement);
    results.push({ rows, affectedRows: numAffectedRows });
  }
  return results;
}

/** Reads a result of mysql2: rows, or the header of a statement without rows. */
function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affectedRows: 0n };
  return { rows: [], affectedRows: BigInt((result as { readonly affectedRows: number }).affectedRows) };
}
