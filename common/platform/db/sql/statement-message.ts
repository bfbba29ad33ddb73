import { CompiledQuery } from "kysely";

/** A query of several statements in one message. The rows of its result are the results of the statements, in order. */
export interface StatementMessage extends CompiledQuery {
  /** The number of statements in the text. */
  readonly statements: number;
  /** Whether the driver commits the transaction after them, in the same message. */
  readonly commits: boolean;
}

export function statementMessage(
  text: string,
  { statements, commits }: Pick<StatementMessage, "statements" | "commits">,
): StatementMessage {
  return Object.freeze({ ...CompiledQuery.raw(text), statements, commits });
}

/** Whether a query that Kysely hands to its driver was made by `statementMessage`. */
export function isStatementMessage(query: CompiledQuery): query is StatementMessage {
  return "statements" in query;
}
