import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { ServiceError } from "../service-error.ts";
import type { SqlDialect } from "./dialect.ts";

/** A write transaction is tried this often before the caller hears `unavailable`. */
const MAX_ATTEMPTS = 8;
const FIRST_BACKOFF_MS = 5;
const LONGEST_BACKOFF_MS = 250;

/** A pool of connections to one database, or the one connection to an SQLite file. */
export class Database<Schema> {
  /** For single statements. */
  readonly query: Kysely<Schema>;
  readonly dialect: SqlDialect;

  constructor(query: Kysely<Schema>, dialect: SqlDialect) {
    this.query = query;
    this.dialect = dialect;
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED; SQLite: IMMEDIATE). It runs again from the start after a deadlock, a
   * lock time-out, a write conflict or a lost connection, so `work` must not change anything outside; as the outcome of
   * a commit can be lost with the connection, it must also be harmless when repeated.
   *
   * @throws ServiceError `unavailable` when the attempts are used up.
   */
  async write<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    return this.#retry(() => this.query.transaction().execute(work));
  }

  /** Runs `work` on one consistent snapshot (REPEATABLE READ; SQLite: a deferred transaction); it must only read. */
  async snapshot<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    const transaction = this.query.transaction().setAccessMode("read only");
    const isolated = this.dialect.name === "mysql" ? transaction.setIsolationLevel("repeatable read") : transaction;
    return this.#retry(() => isolated.execute(work));
  }

  /** The database's clock: milliseconds since 1970-01-01T00:00:00Z. */
  async nowMillis(connection: Kysely<Schema> = this.query): Promise<bigint> {
    const { rows } = await sql<{ now: bigint | string }>`select ${this.dialect.nowMillis} as now`.execute(connection);
    return BigInt(rows[0]?.now ?? 0n);
  }

  async close(): Promise<void> {
    await this.query.destroy();
  }

  async #retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!this.dialect.isTransient(error)) throw error;
        if (count === MAX_ATTEMPTS)
          throw new ServiceError("unavailable", "the database is busy; retry", { cause: error });
        await wait(backoffMillis(count));
      }
    }
  }
}

/** Doubles from attempt to attempt; jittered, so that rivals for a lock don't meet again. */
function backoffMillis(attempt: number): number {
  const longest = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return longest * (0.5 + Math.random() / 2);
}
