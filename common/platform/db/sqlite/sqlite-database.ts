import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";
import { atMost } from "../../cache/at-most.ts";

/** The number of prepared statements that a connection keeps. */
const STATEMENT_CACHE_SIZE = 256;

/** The time that SQLite waits for another process's lock. It is short, as the wait blocks the event loop. */
const BUSY_TIMEOUT_MS = 100;

type SqlValue = null | bigint | number | string | Uint8Array;

/**
 * `node:sqlite` behind the interface of Kysely's SQLite driver. Integers are returned as `bigint`, so that none passes
 * through a JavaScript number.
 */
export class NodeSqliteDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, SqliteStatement>(atMost(STATEMENT_CACHE_SIZE));

  /** @param path of the file, `:memory:`, or a file's URL with parameters of SQLite. */
  constructor(path: string | URL, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#database = new DatabaseSync(path, { readOnly });
    this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (readOnly) return;
    this.#database.exec("pragma journal_mode = wal");
    this.#database.exec("pragma synchronous = full");
    this.#database.exec("pragma foreign_keys = on");
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = statementOf(this.#database.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Whether a transaction is open. SQLite ends one by itself after some errors: a full disk, failed I/O, no memory. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function statementOf(statement: StatementSync): SqliteStatement {
  statement.setReadBigInts(true);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  };
}

/** Refuses values that SQLite has no type for, such as booleans and `undefined`: none may be converted silently. */
function bindable(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map((value) => {
    if (isSqlValue(value)) return value;
    throw new TypeError(`a value of type ${typeof value} can't be bound to an SQL statement`);
  });
}

function isSqlValue(value: unknown): value is SqlValue {
  return (
    value === null ||
    typeof value === "bigint" ||
    typeof value === "number" ||
    typeof value === "string" ||
    value instanceof Uint8Array
  );
}
