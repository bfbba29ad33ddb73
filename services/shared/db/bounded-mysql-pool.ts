import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from "kysely";
import type { Pool, PoolConnection } from "mysql2";
import { ServiceError } from "../service-error.ts";

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

  end(callback: (error: unknown) => void): void {
    this.#pool.end(callback);
  }

  async #acquire(): Promise<MysqlPoolConnection> {
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

class BoundedConnection implements MysqlPoolConnection {
  readonly #raw: PoolConnection;
  readonly #timeoutMs: number;

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
    // Without values the text is sent as it stands: it may be one that was bound before, and hold question marks.
    const bound = values.length === 0 ? {} : { values };
    this.#raw.query({ sql, ...bound, timeout: this.#timeoutMs }, (error, result) => {
      if (error?.code === "PROTOCOL_SEQUENCE_TIMEOUT") this.destroy();
      callback(error, result as MysqlQueryResult);
    });
    return {
      stream() {
        throw new Error("rows aren't streamed");
      },
    };
  }

  /** Runs a statement of a new connection; one that can't be prepared is not for use. */
  prepare(statement: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.query(statement, [], (error) => {
        if (error === null) {
          resolve();
        } else {
          this.destroy();
          reject(error);
        }
      });
    });
  }
}
