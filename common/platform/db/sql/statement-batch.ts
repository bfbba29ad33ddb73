import type { CompiledQuery, Kysely, Transaction } from "kysely";
import type { SqlDialect } from "./dialect.ts";
import { statementMessage } from "./statement-message.ts";

/** The result of one of several statements. */
export interface StatementResult<Row = unknown> {
  /** The rows of a `select`; empty for other statements. */
  readonly rows: readonly Row[];
  /** The number of rows that an `update` or `delete` has found. */
  readonly affectedRows: bigint;
}

/** A transaction, or a pool, where each message is executed on its own. */
type Executor<Schema> = Pick<Kysely<Schema>, "executeQuery">;

/** The results of statements, in their order. */
export type ResultsOf<Statements extends readonly CompiledQuery[]> = {
  readonly [Index in keyof Statements]: Statements[Index] extends CompiledQuery<infer Row>
    ? StatementResult<Row>
    : never;
};

/**
 * Executes statements in order, none of which needs the answer of another. They travel in one message where the database
 * takes several (SQLite runs in the process and has no messages). Where one fails, no later one is executed.
 */
export async function executeBatch<Schema, const Statements extends readonly CompiledQuery[]>(
  query: Executor<Schema>,
  dialect: SqlDialect,
  statements: Statements,
): Promise<ResultsOf<Statements>> {
  return (await executeStatements(query, dialect, statements, { commits: false })) as ResultsOf<Statements>;
}

/**
 * Executes the last statements of a transaction like `executeBatch`. Where the database takes several statements in one
 * message, the commit travels with them. Nothing may be executed in the transaction after it.
 */
export async function executeAndCommit<Schema, const Statements extends readonly CompiledQuery[]>(
  transaction: Transaction<Schema>,
  dialect: SqlDialect,
  statements: Statements,
): Promise<ResultsOf<Statements>> {
  return (await executeStatements(transaction, dialect, statements, { commits: true })) as ResultsOf<Statements>;
}

/** Statements by name; one that isn't wanted is undefined. */
export type NamedStatements = Readonly<Record<string, CompiledQuery | undefined>>;

/** The rows of named statements, each under its statement's name; undefined for a statement that wasn't wanted. */
export type RowsByName<Statements extends NamedStatements> = {
  readonly [Name in keyof Statements]:
    | (Statements[Name] extends CompiledQuery<infer Row> | undefined ? readonly Row[] : never)
    | (undefined extends Statements[Name] ? undefined : never);
};

/** The results of named statements, each under its statement's name; undefined for a statement that wasn't wanted. */
export type ResultsByName<Statements extends NamedStatements> = {
  readonly [Name in keyof Statements]:
    | (Statements[Name] extends CompiledQuery<infer Row> | undefined ? StatementResult<Row> : never)
    | (undefined extends Statements[Name] ? undefined : never);
};

/** Executes named statements in order, like `executeBatch`, and returns their rows. */
export async function executeNamed<Schema, const Statements extends NamedStatements>(
  query: Executor<Schema>,
  dialect: SqlDialect,
  statements: Statements,
): Promise<RowsByName<Statements>> {
  const results = Object.entries(await namedResults(query, dialect, statements));
  return Object.fromEntries(results.map(([name, result]) => [name, result?.rows])) as RowsByName<Statements>;
}

/** Executes named statements in order, like `executeBatch`. */
export async function namedResults<Schema, const Statements extends NamedStatements>(
  query: Executor<Schema>,
  dialect: SqlDialect,
  statements: Statements,
): Promise<ResultsByName<Statements>> {
  const wanted = Object.entries(statements).flatMap(([name, statement]) =>
    statement === undefined ? [] : [{ name, statement }],
  );
  const results = await executeBatch(
    query,
    dialect,
    wanted.map(({ statement }) => statement),
  );
  return Object.fromEntries(wanted.map(({ name }, index) => [name, results[index]])) as ResultsByName<Statements>;
}

async function executeStatements<Schema>(
  query: Executor<Schema>,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
  { commits }: { readonly commits: boolean },
): Promise<readonly StatementResult[]> {
  const count = statements.length;
  if (dialect.messageOf !== undefined && (count > 1 || (count === 1 && commits))) {
    const texts = statements.map((statement) => statement.sql);
    const message = statementMessage(dialect.messageOf(statements), { texts, commits });
    const { rows } = await query.executeQuery(message);
    return rows.map(resultOf);
  }
  const results: StatementResult[] = [];
  for (const statement of statements) {
    const { rows, numAffectedRows = 0n } = await query.executeQuery(statement);
    results.push({ rows, affectedRows: numAffectedRows });
  }
  return results;
}

/** Reads a result of mysql2: rows, or the header of a statement without rows. */
function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affectedRows: 0n };
  return { rows: [], affectedRows: BigInt((result as { readonly affectedRows: number }).affectedRows) };
}
