import type { CompiledQuery, RawBuilder, TransactionBuilder } from "kysely";

/** Column types under which both databases compare bytes and text exactly: no case, accent or padding is folded. */
export interface ColumnTypes {
  /** Exactly `bytes` bytes, ordered bytewise. */
  binary(bytes: number): RawBuilder<unknown>;
  /** Up to `bytes` bytes. */
  varbinary(bytes: number): RawBuilder<unknown>;
  /** ASCII text of at most `characters`. */
  ascii(characters: number): RawBuilder<unknown>;
  /** UTF-8 text of up to 16 MiB. */
  readonly text: RawBuilder<unknown>;
  /** Up to 16 MiB. */
  readonly blob: RawBuilder<unknown>;
}

export const DISK_FULL = "the database's disk is full; retry once there is room";

/** Differences in SQL between SQLite and the MySQL family (MySQL 8, MariaDB 10.11+, TiDB). All other SQL works on both. */
export interface SqlDialect {
  readonly name: "sqlite" | "mysql";
  readonly columnTypes: ColumnTypes;
  /** The end of a `create table` statement. */
  readonly tableOptions: RawBuilder<unknown>;
  /** The database's clock: milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMillis: RawBuilder<bigint | string>;
  /** `nowMillis` as text. */
  readonly nowMillisText: string;
  /** Locks the rows that a query of a write transaction reads, until its end. SQLite has locked everything already. */
  lockRows<Query extends { forUpdate(): Query }>(query: Query): Query;
  /** The same, but the query fails at once, with an error of `isLocked`, where another transaction has locked a row. */
  lockRowsAtOnce<Query extends { forUpdate(): Query; noWait(): Query }>(query: Query): Query;
  /** The end of a `select` that is written as text, for `lockRows`. */
  readonly lockRowsClause: string;
  /** Makes a transaction, before it begins, one consistent snapshot that only reads. */
  beginSnapshot<Schema>(transaction: TransactionBuilder<Schema>): TransactionBuilder<Schema>;
  /** Writes a value as a literal of a statement's text. Undefined if values are bound as parameters. */
  readonly literalOf?: (value: unknown) => string;
  /**
   * The clause that turns a multi-row `insert` into an upsert: it overwrites `columns` of the row with the same `keys`. Without
   * columns it leaves that row as it is.
   */
  upsertClause(keys: readonly string[], columns: readonly string[]): string;
  /** The clause that makes an `insert` add its value of `column` to that of the row with the same `keys`. */
  addClause(keys: readonly string[], column: string): string;
  /** Joins statements to the text of one message; each has its own result. Undefined if statements aren't messages. */
  readonly messageOf?: (statements: readonly CompiledQuery[]) => string;
  /** Whether the whole transaction may succeed if it is run again: a lost race for a lock, or a lost connection. */
  isTransient(error: unknown): boolean;
  /**
   * Lack of the database, in words, if it failed for its host's sake: room on its disk, memory, files that can be read and
   * written. Nothing was changed, and an operator must see to it. Undefined for any other error.
   */
  hostFault(error: unknown): string | undefined;
  /** The rule of `MYSQL_URL` that a connection broke, if the database refuses its account or doesn't have the database. Undefined for any other error. */
  refusal(error: unknown): string | undefined;
  /** Whether another transaction has a row of the statement. */
  isLocked(error: unknown): boolean;
  isDuplicateKey(error: unknown): boolean;
  isDuplicateIndex(error: unknown): boolean;
  /** Whether a null was refused, in a NOT NULL column of this name. */
  isNullRefused(error: unknown, column: string): boolean;
}
