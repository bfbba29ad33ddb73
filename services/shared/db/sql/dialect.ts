import { type CompiledQuery, type RawBuilder, sql, type TransactionBuilder } from "kysely";
import { format, type SqlValue } from "mysql2";
import { committing } from "../mysql/bounded-mysql-pool.ts";
import { mysqlLiteral } from "./mysql-literal.ts";

/** Column types under which both databases compare bytes and text exactly: no case, accent or padding is folded. */
export interface ColumnTypes {
  /** Exactly `bytes` bytes, ordered bytewise. */
  binary(bytes: number): RawBuilder<unknown>;
  /** At most `bytes` bytes. */
  varbinary(bytes: number): RawBuilder<unknown>;
  /** ASCII text of at most `characters`. */
  ascii(characters: number): RawBuilder<unknown>;
  /** UTF-8 text of up to 16 MiB. */
  readonly text: RawBuilder<unknown>;
  /** Up to 16 MiB. */
  readonly blob: RawBuilder<unknown>;
}

/** What differs in SQL between SQLite and the MySQL family (MySQL 8, MariaDB 10.11+, TiDB). Everything else is common. */
export interface SqlDialect {
  readonly name: "sqlite" | "mysql";
  readonly columnTypes: ColumnTypes;
  /** The end of a `create table` statement. */
  readonly tableOptions: RawBuilder<unknown>;
  /** The database's clock: milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMillis: RawBuilder<bigint | string>;
  /** The same as text. */
  readonly nowMillisText: string;
  /** Locks the rows that a query of a write transaction reads, until its end; SQLite has locked everything already. */
  lockRows<Query extends { forUpdate(): Query }>(query: Query): Query;
  /** Makes a transaction, before it begins, one consistent snapshot that only reads. */
  beginSnapshot<Schema>(transaction: TransactionBuilder<Schema>): TransactionBuilder<Schema>;
  /** A value as it stands in a statement's text; undefined where values are bound as parameters. */
  readonly literalOf?: (value: unknown) => string;
  /** What turns a multi-row `insert` into an upsert that overwrites `columns` of the row with the same `keys`. */
  upsertClause(keys: readonly string[], columns: readonly string[]): string;
  /** What turns an `insert` into one that adds its value of `column` to that of the row with the same `keys`. */
  addClause(keys: readonly string[], column: string): string;
  /** Statements as the text of one message, of which each has a result; undefined where statements aren't messages. */
  readonly messageOf?: (statements: readonly CompiledQuery[]) => string;
  /** Lets a message's text commit the transaction after its statements. */
  committing(message: string): string;
  /** The whole transaction may succeed if it is run again: a lost race for a lock, or a lost connection. */
  isTransient(error: unknown): boolean;
  /** The database has no room left to write: nothing was changed, and an operator must make some. */
  isDiskFull(error: unknown): boolean;
  isDuplicateKey(error: unknown): boolean;
  isDuplicateIndex(error: unknown): boolean;
}

const SQLITE_NOW = "cast(unixepoch('subsec') * 1000 as integer)";
const MYSQL_NOW = "cast(unix_timestamp(now(3)) * 1000 as unsigned)";

export const sqliteDialect: SqlDialect = {
  name: "sqlite",
  columnTypes: {
    binary: () => sql`blob`,
    varbinary: () => sql`blob`,
    ascii: () => sql`text`,
    text: sql`text`,
    blob: sql`blob`,
  },
  tableOptions: sql``,
  nowMillis: sql.raw(SQLITE_NOW),
  nowMillisText: SQLITE_NOW,
  lockRows: (query) => query,
  // What tells the driver to begin without the lock of a writer.
  beginSnapshot: (transaction) => transaction.setAccessMode("read only"),
  upsertClause: (keys, columns) =>
    `on conflict (${keys.join(", ")}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
  addClause: (keys, column) =>
    `on conflict (${keys.join(", ")}) do update set ${column} = ${column} + excluded.${column}`,
  committing: (message) => message,
  isTransient: (error) => SQLITE_BUSY.has(sqliteCode(error)),
  isDiskFull: (error) => sqliteCode(error) === SQLITE_FULL,
  isDuplicateKey: (error) => SQLITE_DUPLICATE.has(sqliteCode(error)),
  // SQLite's DDL is part of the migration's transaction: nothing is ever left behind.
  isDuplicateIndex: () => false,
};

export const mysqlDialect: SqlDialect = {
  name: "mysql",
  columnTypes: {
    binary: (bytes) => sql`binary(${sql.lit(bytes)})`,
    varbinary: (bytes) => sql`varbinary(${sql.lit(bytes)})`,
    ascii: (characters) => sql`varchar(${sql.lit(characters)}) character set ascii collate ascii_bin`,
    text: sql`mediumtext character set utf8mb4 collate utf8mb4_bin`,
    blob: sql`mediumblob`,
  },
  tableOptions: sql`engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
  nowMillis: sql.raw(MYSQL_NOW),
  nowMillisText: MYSQL_NOW,
  literalOf: mysqlLiteral,
  lockRows: (query) => query.forUpdate(),
  // Without `read only`, which TiDB refuses; nothing is lost by it.
  beginSnapshot: (transaction) => transaction.setIsolationLevel("repeatable read"),
  // MariaDB has no row alias for the new values, so the older form it is; MySQL 8 and TiDB take it too.
  upsertClause: (_keys, columns) =>
    `on duplicate key update ${columns.map((column) => `${column} = values(${column})`).join(", ")}`,
  addClause: (_keys, column) => `on duplicate key update ${column} = ${column} + values(${column})`,
  messageOf: (statements) => statements.map(boundText).join("; "),
  committing,
  isTransient: (error) => MYSQL_TRANSIENT.has(mysqlCode(error)) || isConnectionLoss(error),
  isDiskFull: (error) => MYSQL_DISK_FULL.has(mysqlCode(error)),
  isDuplicateKey: (error) => mysqlCode(error) === 1062,
  isDuplicateIndex: (error) => mysqlCode(error) === 1061,
};

/** Without parameters the text is as it will be sent, and may hold question marks. */
function boundText({ sql, parameters }: CompiledQuery): string {
  return parameters.length === 0 ? sql : format(sql, parameters as SqlValue[], true, "Z");
}

/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_BUSY_SNAPSHOT. */
const SQLITE_BUSY = new Set([5, 6, 517]);
const SQLITE_FULL = 13;
/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_DUPLICATE = new Set([1555, 2067]);
/** Lock wait time-out, deadlock; TiDB: write conflicts, transactions to be run again, a region or server that is away. */
const MYSQL_TRANSIENT = new Set([1205, 1213, 8002, 8005, 8022, 9001, 9002, 9003, 9005, 9007]);
/** A file can't be written, made larger or finished; the disk is full; an error in writing; a table is full. */
const MYSQL_DISK_FULL = new Set([3, 14, 20, 1021, 1026, 1114]);
const CONNECTION_LOSS = new Set([
  "PROTOCOL_CONNECTION_LOST",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "ER_CLIENT_INTERACTION_TIMEOUT",
  "ER_SERVER_SHUTDOWN",
  "ER_CON_COUNT_ERROR",
]);

function property(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

function sqliteCode(error: unknown): number {
  return Number(property(error, "errcode") ?? 0);
}

function mysqlCode(error: unknown): number {
  return Number(property(error, "errno") ?? 0);
}

/** Access denied (twice), unknown database: trying again doesn't help. */
const MYSQL_REFUSALS = new Set([1044, 1045, 1049]);

function isConnectionLoss(error: unknown): boolean {
  if (MYSQL_REFUSALS.has(mysqlCode(error))) return false;
  return CONNECTION_LOSS.has(String(property(error, "code"))) || property(error, "fatal") === true;
}
