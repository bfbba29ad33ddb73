import { CompiledQuery } from "kysely";

/** A query of several statements in one message. The rows of its result are the results of the statements, in order. */
export interface StatementMessage extends CompiledQuery {
  /** The number of statements in the text. */
  readonly statements: number;
  /** The statements before their values were written into them. */
  readonly texts: readonly string[];
  /** Whether the driver commits the transaction after them, in the same message. */
  readonly commits: boolean;
}

export function statementMessage(
  text: string,
  { texts, commits }: Pick<StatementMessage, "texts" | "commits">,
): StatementMessage {
  return Object.freeze({ ...CompiledQuery.raw(text), statements: texts.length, texts, commits });
}

/** Whether a query that Kysely hands to its driver was made by `statementMessage`. */
export function isStatementMessage(query: object): query is StatementMessage {
  return "statements" in query;
}
