import { setTimeout as wait } from "node:timers/promises";
import { CompiledQuery, type Driver, type TransactionSettings } from "kysely";
import type { Pool, PoolConnection, QueryError } from "mysql2";
import { ServiceError } from "../../../errors/service-error.ts";
import type { PoolUsage } from "../../pool-usage.ts";
import type { DatabaseAttributes } from "../../sql/statement-span.ts";
import { CoalescingMysqlConnection } from "./coalescing-mysql-connection.ts";

/** The time that the pool waits for its connections to close. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface CoalescingMysqlDriverOptions {
  readonly pool: Pool;
  /** The driver counts here. */
  readonly usage: PoolUsage;
  /** The time that a call waits for a connection, in milliseconds. */
  readonly acquireTimeoutMs: number;
  /** The time limit of a message, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Whether a connection's server is of no use after an error, and all connections of before it must be closed. */
  readonly showsUselessServer: (error: QueryError) => boolean;
  /** Run on each new connection before anything else. */
  readonly sessionStatements: readonly string[];
  /** Attributes of the database, for spans. */
  readonly attributes: DatabaseAttributes;
}

/**
 * Kysely's driver for mysql2. Unlike Kysely's own it sends `begin`, and often `commit`, together with other statements,
 * and a database that hangs can't hang its callers: waiting for a connection and each message have a timeout.
 */
export class CoalescingMysqlDriver implements Driver {
  readonly #options: CoalescingMysqlDriverOptions;
  /** The connections whose session statements have been run. */
  readonly #prepared = new WeakMap<PoolConnection, CoalescingMysqlConnection>();
  /** The connections made since a server was last of no use: those of before may lead to the same one. */
  #current = new WeakSet<CoalescingMysqlConnection>();

  constructor(options: CoalescingMysqlDriverOptions) {
    this.#options = options;
  }

  /** Does nothing: the pool connects when a connection is needed. */
  async init(): Promise<void> {}

  /** @throws ServiceError `unavailable` if no connection becomes free in time, or too many calls wait for one */
  async acquireConnection(): Promise<CoalescingMysqlConnection> {
    const { usage } = this.#options;
    usage.waiting += 1;
    const raw = await this.#takeFromPool().finally(() => {
      usage.waiting -= 1;
    });
    const connection = this.#prepared.get(raw) ?? (await this.#prepare(raw));
    if (!this.#current.has(connection)) {
      connection.destroy();
      return this.acquireConnection();
    }
    usage.busy += 1;
    return connection;
  }

  async beginTransaction(connection: CoalescingMysqlConnection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings);
  }

  async commitTransaction(connection: CoalescingMysqlConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: CoalescingMysqlConnection): Promise<void> {
    try {
      await connection.rollback();
    } catch (error) {
      // The database rolls back what a closed connection leaves open.
      connection.destroy();
      throw error;
    }
  }

  async releaseConnection(connection: CoalescingMysqlConnection): Promise<void> {
    this.#options.usage.busy -= 1;
    const isCurrent = this.#current.has(connection);
    if (isCurrent && connection.hasUselessServer) this.#current = new WeakSet();
    // A destroyed connection makes room in the pool for a new one.
    if (isCurrent) connection.release();
    else connection.destroy();
  }

  /** Closes the pool. A connection that has failed, or that doesn't answer, is closed with the process. */
  async destroy(): Promise<void> {
    const over = new AbortController();
    const ended = this.#options.pool
      .promise()
      .end()
      .catch(() => {});
    await Promise.race([ended, wait(CLOSE_TIMEOUT_MS, undefined, { signal: over.signal }).catch(() => {})]);
    over.abort();
  }

  async #prepare(raw: PoolConnection): Promise<CoalescingMysqlConnection> {
    const { statementTimeoutMs, showsUselessServer, sessionStatements, attributes } = this.#options;
    const connection = new CoalescingMysqlConnection(raw, statementTimeoutMs, showsUselessServer, attributes);
    try {
      await connection.executeQuery(CompiledQuery.raw(sessionStatements.join("; ")));
    } catch (error) {
      connection.destroy();
      throw error;
    }
    this.#prepared.set(raw, connection);
    this.#current.add(connection);
    return connection;
  }

  #takeFromPool(): Promise<PoolConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolConnection>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new ServiceError("unavailable", "no connection to the database has become free; retry"));
    }, this.#options.acquireTimeoutMs);
    this.#options.pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (isLate) connection?.release();
      else if (error === null) resolve(connection);
      else reject(isQueueFull(error) ? queueFull(error) : error);
    });
    return promise;
  }
}

/** mysql2 gives this error no code. */
function isQueueFull(error: Error): boolean {
  return error.message === "Queue limit reached.";
}

function queueFull(cause: Error): ServiceError {
  return new ServiceError("unavailable", "too many calls wait for the database; retry", { cause });
}
