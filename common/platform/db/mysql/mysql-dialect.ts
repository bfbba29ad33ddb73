import { type CompiledQuery, sql } from "kysely";
import { escape as escapedText, format, type SqlValue } from "mysql2";
import { hexOfBytes } from "../../encoding/hex.ts";
import { DISK_FULL, type SqlDialect } from "../sql/dialect.ts";
import { HexBytes } from "../sql/hex-bytes.ts";
import { STATEMENT_TIMED_OUT } from "./coalescing/coalescing-mysql-connection.ts";

/** The properties of mysql2's errors that are looked at. */
interface MysqlError {
  readonly errno?: unknown;
  readonly code?: unknown;
  readonly fatal?: unknown;
  readonly sqlMessage?: unknown;
}

/**
 * "WSREP has not yet prepared node for application use": a Galera node that joins its cluster, or has lost it. Every statement
 * on such a connection fails.
 */
const NODE_NOT_READY = 1047;
/** A server with `read_only`: a replica, or a primary that was replaced. It has changed nothing. */
const READ_ONLY_NUMBERS = [1290, 1836];
/** Errors after which a new connection may lead to another server, by a proxy or by a name that has moved. */
const ANOTHER_SERVER: ReadonlySet<unknown> = new Set([NODE_NOT_READY, ...READ_ONLY_NUMBERS]);
const NOW = "cast(unix_timestamp(now(3)) * 1000 as unsigned)";
/**
 * Lock wait time-out, deadlock (Galera: also another node's change that came first), a server that can't be written to now; TiDB: write conflict, transaction to be run again, a migration committed meanwhile (8028), region
 * or server unavailable.
 */
const TRANSIENT: ReadonlySet<unknown> = new Set([
  1205,
  1213,
  ...ANOTHER_SERVER,
  8002,
  8005,
  8022,
  8028,
  9001,
  9002,
  9003,
  9005,
  9007,
]);
/** A row is locked: a lock wait time-out, by which MariaDB also answers `nowait`, and what MySQL and TiDB answer to that. */
const LOCKED_ROW: ReadonlySet<unknown> = new Set([1205, 3572]);
/** A file can't be written, extended or closed; the disk is full; a write error; a table is full. */
const DISK_FULL_NUMBERS = [3, 14, 20, 1021, 1026, 1114];
/** Out of memory, of memory for sorting, and of resources. */
const NO_MEMORY_NUMBERS = [1037, 1038, 1041];
const HOST_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ...DISK_FULL_NUMBERS.map((number) => [number, DISK_FULL] as const),
  ...NO_MEMORY_NUMBERS.map((number) => [number, "the database has no memory left; retry"] as const),
  ...READ_ONLY_NUMBERS.map((number) => [number, "the database only reads; retry once it takes changes"] as const),
]);
const WRONG_PASSWORD = "expected user and password of an account that the database lets in from here: it refuses them";
const LOCKED = "expected an account that may log in: the database has locked it";
const EXPIRED = "expected an account whose password hasn't expired: set it again at the database";
/** Refusals at which trying again doesn't help: somebody has to change the setting, or the account. */
const REFUSALS: ReadonlyMap<unknown, string> = new Map([
  [1044, "expected a database that the account may use: grant the account its rights on it"],
  [1045, WRONG_PASSWORD],
  [1049, "expected the name of an existing database: create it, or correct the name"],
  [1130, "expected an account that may connect from this host: the database lets nobody in from here"],
  [1251, "expected an account with a way to log in that this client knows"],
  [1698, WRONG_PASSWORD],
  [1820, EXPIRED],
  [1862, EXPIRED],
  [3118, LOCKED],
  [4151, LOCKED],
]);
const DUPLICATE_KEY = 1062;
const DUPLICATE_INDEX = 1061;
const NULL_REFUSED = 1048;
const CONNECTION_LOST: ReadonlySet<unknown> = new Set([
  STATEMENT_TIMED_OUT,
  "PROTOCOL_CONNECTION_LOST",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "ER_CLIENT_INTERACTION_TIMEOUT",
  "ER_SERVER_SHUTDOWN",
  "ER_CON_COUNT_ERROR",
]);

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
  nowMillis: sql.raw(NOW),
  nowMillisText: NOW,
  literalOf: mysqlLiteral,
  lockRows: (query) => query.forUpdate(),
  lockRowsAtOnce: (query) => query.forUpdate().noWait(),
  lockRowsClause: "for update",
  // Without `read only`, which TiDB refuses; nothing is lost by it.
  beginSnapshot: (transaction) => transaction.setIsolationLevel("repeatable read"),
  // MariaDB has no row alias for the new values. MySQL 8 and TiDB take this older form too.
  upsertClause: ([key], columns) =>
    columns.length === 0
      ? `on duplicate key update ${key} = ${key}`
      : `on duplicate key update ${columns.map((column) => `${column} = values(${column})`).join(", ")}`,
  addClause: (_keys, column) => `on duplicate key update ${column} = ${column} + values(${column})`,
  messageOf: (statements) => statements.map(boundText).join("; "),
  isTransient: (error) => TRANSIENT.has(propertiesOf(error).errno) || isConnectionLost(error),
  hostFault: (error) => HOST_FAULTS.get(propertiesOf(error).errno),
  refusal: (error) => REFUSALS.get(propertiesOf(error).errno),
  isLocked: (error) => LOCKED_ROW.has(propertiesOf(error).errno),
  isDuplicateKey: (error) => propertiesOf(error).errno === DUPLICATE_KEY,
  isDuplicateIndex: (error) => propertiesOf(error).errno === DUPLICATE_INDEX,
  isNullRefused: (error, column) => {
    const { errno, sqlMessage } = propertiesOf(error);
    return errno === NULL_REFUSED && String(sqlMessage).includes(`'${column}'`);
  },
};

/** Whether a connection is of no use after an error, as a new one may lead to another server. */
export function leadsElsewhere(error: unknown): boolean {
  return ANOTHER_SERVER.has(propertiesOf(error).errno);
}

/** A text without parameters may hold question marks that aren't placeholders. */
function boundText({ sql, parameters }: CompiledQuery): string {
  return parameters.length === 0 ? sql : format(sql, parameters as SqlValue[], true, "Z");
}

function isConnectionLost(error: unknown): boolean {
  const { errno, code, fatal } = propertiesOf(error);
  return !REFUSALS.has(errno) && (CONNECTION_LOST.has(code) || fatal === true);
}

/** Returns the driver's properties of an error; none for anything else that was thrown. */
function propertiesOf(error: unknown): MysqlError {
  return Object(error);
}

/** Printable ASCII without the quote and the backslash. */
const NEEDS_NO_ESCAPE = /^[ -&(-[\]-~]*$/;

/**
 * A value as an SQL literal, for a session whose `sql_mode` has backslash escapes on.
 * Several times as fast as mysql2's `format`, which searches for placeholders and accepts any object.
 *
 * @throws TypeError unless it is null, a string, an integer or bytes
 */
export function mysqlLiteral(value: unknown): string {
  if (typeof value === "string") return NEEDS_NO_ESCAPE.test(value) ? `'${value}'` : escapedText(value);
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  if (value instanceof HexBytes) return `x'${value.hex}'`;
  if (value instanceof Uint8Array) return `x'${hexOfBytes(value)}'`;
  if (value === null) return "NULL";
  throw new TypeError(`a value of type ${typeof value} has no place in an SQL statement`);
}
