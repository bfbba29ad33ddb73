import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from "kysely";
import type { Pool, PoolConnection } from "mysql2";
import { ServiceError } from "../../errors/service-error.ts";

export interface PoolBounds {
  /** How long a call waits for a connection, in milliseconds. */
  readonly acquireTimeoutMs: number;
  /** How long a statement may take, in milliseconds; its connection is destroyed then, as nobody knows what it does. */
  readonly statementTimeoutMs: number;
  /** Run on each new connection before anything else. */
  readonly sessionStatements: readonly string[];
}

type AcquireCallback = Parameters<MysqlPool["getConnection"]>[0];

/** mysql2's pool in the shape that Kysely wants, so that a database which hangs can't hang whoever asks it. */
export class BoundedMysqlPool implements MysqlPool {
  readonly #pool: Pool;
  readonly #bounds: PoolBounds;
  readonly #prepared = new WeakMap<PoolConnection, BoundedConnection>();

  constructor(pool: Pool, bounds: PoolBounds) {
    this.#pool = pool;
    this.#bounds = bounds;
  }

  getConnection(callback: AcquireCallback): void {
    const answer = callback as (error: unknown, connection?: MysqlPoolConnection) => void;
    this.#acquire().then((connection) => answer(null, connection), answer);
  }

  /** Executes a message as one transaction; where it fails that is rolled back. */
  async transact(message: string): Promise<void> {
    const connection = await this.#acquire();
    try {
      await connection.execute(`begin; ${committing(message)}`);
    } catch (error) {
      // Where that can't be told either, the connection is lost, and the transaction with it.
      await connection.execute("rollback").catch(() => connection.destroy());
      throw error;
    } finally {
      connection.release();
    }
  }

  end(callback: (error: unknown) => void): void {
    this.#pool.end(callback);
  }

  async #acquire(): Promise<BoundedConnection> {
    const raw = await this.#take();
    const known = this.#prepared.get(raw);
    if (known !== undefined) return known;
    const connection = new BoundedConnection(raw, this.#bounds.statementTimeoutMs);
    for (const statement of this.#bounds.sessionStatements) await connection.prepare(statement);
    this.#prepared.set(raw, connection);
    return connection;
  }

  #take(): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(new ServiceError("unavailable", "no connection to the database has become free; retry"));
      }, this.#bounds.acquireTimeoutMs);
      this.#pool.getConnection((error, connection) => {
        clearTimeout(timer);
        if (late) connection?.release();
        else if (error === null) resolve(connection);
        else reject(isQueueFull(error) ? queueIsFull(error) : error);
      });
    });
  }
}

/** mysql2 tells it by words only. */
function isQueueFull(error: Error): boolean {
  return error.message === "Queue limit reached.";
}

function queueIsFull(cause: Error): ServiceError {
  return new ServiceError("unavailable", "too many calls wait for the database; retry", { cause });
}

/** What begins a transaction: it has no result that anybody waits for. */
const OPENING = /^(?:begin|set transaction .+)$/;
/** What ends one. */
const ENDING = /^(?:commit|rollback)$/;
/** The end of a message that commits its transaction itself; see `committing`. */
const COMMITS = "; commit";

/** Adds the commit to the statements of a message: Kysely's own one, which comes next, is then none. */
export function committing(text: string): string {
  return text + COMMITS;
}

/**
 * A connection on which a transaction's beginning goes with its first statement, and its commit may go with the last one
 * (`committing`): each would be a message of its own. MySQL ends a message at the first statement that fails, so that
 * none of the later ones is ever done without those before.
 */
class BoundedConnection implements MysqlPoolConnection {
  readonly #raw: PoolConnection;
  readonly #timeoutMs: number;
  /** To be sent with the next statement. */
  #opening: string[] = [];
  /** The last message has ended its transaction. */
  #isCommitted = false;

  constructor(raw: PoolConnection, timeoutMs: number) {
    this.#raw = raw;
    this.#timeoutMs = timeoutMs;
  }

  get config(): MysqlPoolConnection["config"] {
    return this.#raw.config;
  }

  get threadId(): number {
    return this.#raw.threadId;
  }

  connect(): void {
    throw new Error("a connection of a pool is connected");
  }

  destroy(): void {
    this.#raw.destroy();
  }

  release(): void {
    this.#raw.release();
  }

  query(
    sql: string,
    values: unknown[],
    callback: (error: unknown, result: MysqlQueryResult) => void = () => {},
  ): ReturnType<MysqlPoolConnection["query"]> {
    if (this.#isUnsent(sql)) queueMicrotask(() => callback(null, NOTHING));
    else this.#send(sql, values, callback);
    return {
      stream() {
        throw new Error("rows aren't streamed");
      },
    };
  }

  /** Takes note of what needs no message of its own. */
  #isUnsent(sql: string): boolean {
    if (OPENING.test(sql)) {
      this.#opening.push(sql);
      return true;
    }
    const isNeedless = ENDING.test(sql) && (this.#opening.length > 0 || this.#isCommitted);
    this.#isCommitted = false;
    if (isNeedless) this.#opening = [];
    return isNeedless;
  }

  #send(sql: string, values: unknown[], callback: (error: unknown, result: MysqlQueryResult) => void): void {
    const opening = this.#opening;
    this.#opening = [];
    const text = [...opening, sql].join("; ");
    // Without values the text is sent as it stands: it may be one that was bound before, and hold question marks.
    const bound = values.length === 0 ? {} : { values };
    this.#raw.query({ sql: text, ...bound, timeout: this.#timeoutMs }, (error, result) => {
      if (error?.code === "PROTOCOL_SEQUENCE_TIMEOUT") this.destroy();
      this.#isCommitted = error === null && sql.endsWith(COMMITS);
      callback(error, (error === null ? resultsWithout(opening.length, result) : result) as MysqlQueryResult);
    });
  }

  /** Runs a statement of a new connection; one that can't be prepared is not for use. */
  async prepare(statement: string): Promise<void> {
    await this.execute(statement).catch((error: unknown) => {
      this.destroy();
      throw error;
    });
  }

  /** Executes a text that needs no values. */
  execute(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.query(text, [], (error) => (error === null ? resolve() : reject(error)));
    });
  }
}

/** Of a statement that wasn't sent. */
const NOTHING = { affectedRows: 0, changedRows: 0, insertId: 0 } as MysqlQueryResult;

/** A message of several statements has a list of results. */
function resultsWithout(count: number, results: unknown): unknown {
  if (count === 0) return results;
  const [result, ...others] = (results as readonly unknown[]).slice(count);
  return others.length === 0 ? result : [result, ...others];
}
