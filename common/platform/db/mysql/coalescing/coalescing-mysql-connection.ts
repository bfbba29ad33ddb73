import type { CompiledQuery, DatabaseConnection, QueryResult, TransactionSettings } from "kysely";
import type { PoolConnection, QueryError, QueryValues } from "mysql2";
import { isStatementMessage } from "../../sql/statement-message.ts";
import { type DatabaseAttributes, traceStatement } from "../../sql/statement-span.ts";

/** The statement time-out of this process. Its connection is destroyed, so the outcome is as unknown as that of a lost one. */
export const STATEMENT_TIMED_OUT = "PROTOCOL_SEQUENCE_TIMEOUT";

/** The part of a transaction that the database has received. */
type TransactionState = "none" | "deferred" | "open" | "committed";

/**
 * A connection that needs fewer messages. A transaction's `begin` travels with its first statement, and its `commit`
 * with the last one if that is a `StatementMessage` that commits. MySQL ends a message at the first statement that
 * fails, so no statement is ever executed without those before it.
 */
export class CoalescingMysqlConnection implements DatabaseConnection {
  readonly #raw: PoolConnection;
  readonly #timeoutMs: number;
  readonly #showsUselessServer: (error: QueryError) => boolean;
  readonly #attributes: DatabaseAttributes;
  #state: TransactionState = "none";
  /** Statements to be sent before the next one, in the same message. */
  #deferred: readonly string[] = [];
  #isDestroyed = false;
  #hasUselessServer = false;

  /**
   * @param timeoutMs of a message. Its connection is destroyed then, as nobody knows what the database does with it.
   * @param showsUselessServer whether its server is of no use after an error, so that it is destroyed too
   * @param attributes of the database, for spans
   */
  constructor(
    raw: PoolConnection,
    timeoutMs: number,
    showsUselessServer: (error: QueryError) => boolean,
    attributes: DatabaseAttributes,
  ) {
    this.#raw = raw;
    this.#timeoutMs = timeoutMs;
    this.#showsUselessServer = showsUselessServer;
    this.#attributes = attributes;
  }

  /** Whether an error has shown that its server is of no use. */
  get hasUselessServer(): boolean {
    return this.#hasUselessServer;
  }

  /** Begins a transaction with the next statement. */
  begin(settings: TransactionSettings): void {
    this.#deferred = beginning(settings);
    this.#state = "deferred";
  }

  async commit(): Promise<void> {
    await this.#end("commit");
  }

  /** Sends nothing on a destroyed connection, whose transaction has ended with it: that would hide the error that destroyed it. */
  async rollback(): Promise<void> {
    if (!this.#isDestroyed) await this.#end("rollback");
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return traceStatement(query, this.#attributes, () => this.#execute(query));
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#state === "committed") throw new Error("nothing may follow the statements that commit a transaction");
    const before = this.#takeDeferred();
    const message = isStatementMessage(query) ? query : { statements: 1, commits: false };
    const after = message.commits ? ["commit"] : [];
    const answer = await this.#send([...before, query.sql, ...after].join("; "), query.parameters);
    if (message.commits) this.#state = "committed";
    const total = before.length + message.statements + after.length;
    // mysql2 answers a single statement with its result, and several with a list of results.
    const results = total === 1 ? [answer] : (answer as readonly unknown[]);
    const own = results.slice(before.length, before.length + message.statements);
    return isStatementMessage(query) ? { rows: own as Row[] } : queryResult<Row>(own[0]);
  }

  streamQuery(): never {
    throw new Error("rows aren't streamed");
  }

  release(): void {
    this.#raw.release();
  }

  /** Closes the connection and removes it from its pool. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#raw.destroy();
  }

  /** The transaction counts as open even if the message fails: its `begin` may have been executed. */
  #takeDeferred(): readonly string[] {
    const deferred = this.#deferred;
    this.#deferred = [];
    if (this.#state === "deferred") this.#state = "open";
    return deferred;
  }

  /** Sends nothing where nothing was executed, or the commit has travelled with the last statement. */
  async #end(statement: "commit" | "rollback"): Promise<void> {
    if (this.#state === "open") {
      await traceStatement({ sql: statement }, this.#attributes, () => this.#send(statement, []));
    }
    this.#deferred = [];
    this.#state = "none";
  }

  async #send(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    // Without values the text is sent as it is: a question mark in it isn't a placeholder.
    const values = parameters.length === 0 ? {} : { values: parameters as QueryValues };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#raw.query({ sql, ...values, timeout: this.#timeoutMs }, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    try {
      return await promise;
    } catch (error) {
      const failure = error as QueryError;
      this.#hasUselessServer ||= this.#showsUselessServer(failure);
      if (failure.code === STATEMENT_TIMED_OUT || this.#hasUselessServer) this.destroy();
      throw withCallerStack(failure);
    }
  }
}

function beginning({ isolationLevel, accessMode }: TransactionSettings): readonly string[] {
  const characteristics = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
  return characteristics.length === 0 ? ["begin"] : [`set transaction ${characteristics.join(", ")}`, "begin"];
}

/** Rows, or the header that mysql2 gives for a statement without rows. */
function queryResult<Row>(result: unknown): QueryResult<Row> {
  if (Array.isArray(result)) return { rows: result };
  return { rows: [], numAffectedRows: BigInt((result as { readonly affectedRows: number }).affectedRows) };
}

/** Adds the stack of the caller: that of mysql2 begins at its socket. */
function withCallerStack(error: QueryError): QueryError {
  const [, ...callers] = new Error().stack?.split("\n") ?? [];
  error.stack = [error.stack, ...callers].join("\n");
  return error;
}
