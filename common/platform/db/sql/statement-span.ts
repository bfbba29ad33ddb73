import type { CompiledQuery } from "kysely";
import { recordedTrace, type SpanAttributes, trace } from "../../tracing/tracing.ts";
import { queryOperation, querySummary } from "./query-summary.ts";
import { isStatementMessage } from "./statement-message.ts";

/** Attributes of the database that all of its spans have. */
export type DatabaseAttributes = SpanAttributes & { readonly "db.system.name": string };

/** The names of the spans around an attempt's statements, which also wait for a connection and repeat. */
export const ATTEMPT_SPANS = ["sql read", "sql snapshot", "sql transaction"] as const;

/** Runs `work`, which executes a query, as a span of a recorded trace. Outside of one it costs nothing. */
export function traceStatement<Result>(
  query: Pick<CompiledQuery, "sql">,
  database: DatabaseAttributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (recordedTrace() === undefined) return work();
  const statements = isStatementMessage(query) ? query.texts : [query.sql];
  const summary = querySummary(statements);
  const attributes = { ...database, ...operationOf(statements), "db.query.summary": summary };
  return trace(summary, { kind: "client", attributes, failureType: statusCode }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span?.set({ "db.response.status_code": statusCode(error) });
      throw error;
    }
  });
}

/** The name of the operation. That of several statements is `BATCH`, with the operation that they share. */
function operationOf(statements: readonly string[]): SpanAttributes {
  const operations = new Set(statements.map(queryOperation));
  const [first = ""] = operations;
  if (statements.length === 1) return { "db.operation.name": first };
  const name = operations.size === 1 ? `BATCH ${first}` : "BATCH";
  return { "db.operation.name": name, "db.operation.batch.size": statements.length };
}

/** The database's number of an error (MySQL's and MariaDB's, SQLite's extended result code); else its class. */
function statusCode(error: unknown): string {
  const { errno, errcode, name } = Object(error);
  return String(errno ?? errcode ?? name ?? "unknown");
}
