import { setTimeout as wait } from "node:timers/promises";
import { type CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { backoffMs } from "../concurrency/backoff.ts";
import { callSignal } from "../concurrency/call-signal.ts";
import { KeyedMutex } from "../concurrency/keyed-mutex.ts";
import { ConfigError } from "../config/config-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import { trace } from "../tracing/tracing.ts";
import { DatabaseClock } from "./database-clock.ts";
import { LongSnapshot } from "./long-snapshot.ts";
import type { PoolUsage } from "./pool-usage.ts";
import type { SqlDialect } from "./sql/dialect.ts";
import { executeAndCommit } from "./sql/statement-batch.ts";
import type { ATTEMPT_SPANS } from "./sql/statement-span.ts";

/** The number of attempts before the caller gets `unavailable`. */
const MAX_ATTEMPTS = 8;
const BACKOFF = { firstMs: 5, longestMs: 250 };

export interface DatabaseOptions<Schema> {
  /** Opens another connection, where all users of `query` share one. */
  readonly connect?: (() => Kysely<Schema>) | undefined;
  /** Absent where there is no pool. */
  readonly pool?: PoolUsage;
}

/** A pool of connections to one database, or the one connection to an SQLite file. */
export class Database<Schema> {
  /** Kysely itself, without retries and without `runExclusive`: for migrations and tests. */
  readonly query: Kysely<Schema>;
  readonly dialect: SqlDialect;
  /** The database's clock; whoever reads it from the database notes it here. */
  readonly clock = new DatabaseClock();
  readonly pool: PoolUsage | undefined;
  readonly #mutex = new KeyedMutex();
  readonly #connect: (() => Kysely<Schema>) | undefined;

  constructor(query: Kysely<Schema>, dialect: SqlDialect, { connect, pool }: DatabaseOptions<Schema> = {}) {
    this.query = query;
    this.dialect = dialect;
    this.pool = pool;
    this.#connect = connect;
  }

  /**
   * Runs `work` in one transaction (READ COMMITTED; SQLite: IMMEDIATE). `work` runs again from the start after a deadlock, a
   * lock time-out, a write conflict, a lost connection or a statement's time-out, so it must not change anything outside of
   * the transaction. It must also be idempotent, as the result of a commit can be lost with the connection. It must await
   * each statement before it writes more: a deadlock ends the transaction in the database, and a later statement would run outside of it.
   *
   * @throws ServiceError `unavailable` when the attempts are used up, and for a fault of the database's host, such as a full disk.
   */
  async write<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    return this.#traced("sql transaction", () => this.query.transaction().execute(work));
  }

  /**
   * `write` for work that first locks the row to which all keys that it inserts belong. If one of them is taken then, another
   * node of a database cluster has inserted it: Galera's locks hold on one node. `work` runs again, as after a deadlock.
   *
   * @throws ServiceError as `write`, also if a key is still taken when the attempts are used up.
   */
  async writeLocked<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    const isConflict = (error: unknown) => this.dialect.isDuplicateKey(error);
    return this.#traced("sql transaction", () => this.query.transaction().execute(work), isConflict);
  }

  /**
   * `write` for work that locks the row named by `key`. Work for the same key waits in this process instead of on
   * a connection each, so that one contended row can't take all of them.
   */
  async writeExclusive<Result>(
    key: string,
    work: (transaction: Transaction<Schema>) => Promise<Result>,
  ): Promise<Result> {
    return this.runExclusive(key, () => this.write(work));
  }

  /** Whether `runExclusive` would have to wait for other work of this process. */
  isExclusive(key: string): boolean {
    return this.#mutex.isLocked(key);
  }

  /** Runs `work` alone among all work for `key` in this process. */
  async runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.runExclusive(key, work);
  }

  /**
   * Executes statements as one transaction, in one message if the database takes several. Unlike `write` it tries once.
   * Where it fails none of them is done, unless only the answer was lost.
   *
   * @throws whatever the database answers
   */
  async transact(statements: readonly CompiledQuery[]): Promise<void> {
    callSignal()?.throwIfAborted();
    await trace("sql transaction", {}, () =>
      this.query.transaction().execute((transaction) => executeAndCommit(transaction, this.dialect, statements)),
    );
  }

  /** Runs statements that only read, each on its own; again from the start as `write` does. */
  async read<Result>(work: (query: Kysely<Schema>) => Promise<Result>): Promise<Result> {
    return this.#traced("sql read", () => work(this.query));
  }

  /** Runs `work` on one consistent snapshot (REPEATABLE READ; SQLite: a deferred transaction); it must only read. */
  async snapshot<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> {
    return this.#traced("sql snapshot", () => this.dialect.beginSnapshot(this.query.transaction()).execute(work));
  }

  /** Opens a snapshot like that of `snapshot`. The caller must close it: it holds a connection (SQLite: one of its own). */
  async openSnapshot(): Promise<LongSnapshot<Schema>> {
    return this.retry(async () => {
      const own = this.#connect?.();
      const builder = this.dialect.beginSnapshot((own ?? this.query).transaction());
      const snapshot = await LongSnapshot.open(builder, async () => own?.destroy());
      // The first statement may find the connection broken. The retry takes another one.
      await snapshot
        .read((query) => sql`select 1`.execute(query))
        .catch(async (error: unknown) => {
          await snapshot.close();
          throw error;
        });
      return snapshot;
    });
  }

  /** The database's clock: milliseconds since 1970-01-01T00:00:00Z. */
  async nowMillis(): Promise<bigint> {
    const clock = sql<{ now: bigint | string }>`select ${this.dialect.nowMillis} as now`;
    const { rows } = await this.read((query) => clock.execute(query));
    return BigInt(rows[0]?.now ?? 0n);
  }

  async close(): Promise<void> {
    await this.query.destroy();
  }

  #traced<Result>(
    name: (typeof ATTEMPT_SPANS)[number],
    attempt: () => Promise<Result>,
    isConflict?: (error: unknown) => boolean,
  ): Promise<Result> {
    return trace(name, {}, () => this.retry(attempt, isConflict));
  }

  /**
   * Runs `attempt`, which must be idempotent, again after errors that the dialect calls transient. It ends
   * with the call that it belongs to.
   *
   * @param isConflict recognises further errors after which it runs again. None by default.
   * @throws ServiceError `unavailable` when the attempts are used up or its host has a fault; ConfigError if the database refuses the
   *   account of `MYSQL_URL`, as nobody mends that by trying again; the reason of an aborted call.
   */
  // Not `p-retry`: it rejects with the reason of a call that was aborted during an attempt, even if that attempt has committed.
  async retry<Result>(
    attempt: () => Promise<Result>,
    isConflict: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const signal = callSignal();
    for (let count = 1; ; count += 1) {
      signal?.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        const hostFault = this.dialect.hostFault(error);
        const configError = configErrorOf(this.dialect, error);
        if (configError !== undefined) throw configError;
        const isPassing = this.dialect.isTransient(error) || isConflict(error);
        if (!isPassing && hostFault === undefined) throw error;
        if (!isPassing || count === MAX_ATTEMPTS) {
          throw new ServiceError("unavailable", hostFault ?? "the database doesn't answer or is busy; retry", {
            cause: error,
          });
        }
        await wait(backoffMs(count, BACKOFF), undefined, signal === undefined ? {} : { signal });
      }
    }
  }
}

/** Returns the error of the setting if the database refuses the account of `MYSQL_URL`; undefined for any other error. */
export function configErrorOf(dialect: Pick<SqlDialect, "refusal">, error: unknown): ConfigError | undefined {
  const refusal = dialect.refusal(error);
  return refusal === undefined ? undefined : new ConfigError("MYSQL_URL", refusal, { cause: error });
}
