import { sql } from "kysely";
import { DISK_FULL, type SqlDialect } from "../sql/dialect.ts";

const NOW = "cast(unixepoch('subsec') * 1000 as integer)";
const PRIMARY_CODE = 0xff;
/** SQLITE_BUSY, SQLITE_LOCKED and SQLITE_BUSY_SNAPSHOT. */
const BUSY: ReadonlySet<unknown> = new Set([5, 6, 517]);
/** Primary result codes (the low byte of an extended one): SQLITE_NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const HOST_FAULTS: ReadonlyMap<number, string> = new Map([
  [7, "the database has no memory left; retry"],
  [8, "the database's file can't be written; retry once it can be"],
  [10, "the database's disk doesn't read or write; retry once it does"],
  [13, DISK_FULL],
  [14, "the database's file can't be opened; retry once it can be"],
]);
/** SQLITE_CONSTRAINT_NOTNULL. */
const NOT_NULL_CONSTRAINT = 1299;
/** SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE. */
const DUPLICATE: ReadonlySet<unknown> = new Set([1555, 2067]);

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
  nowMillis: sql.raw(NOW),
  nowMillisText: NOW,
  lockRows: (query) => query,
  lockRowsAtOnce: (query) => query,
  lockRowsClause: "",
  // The driver then begins without the writer's lock.
  beginSnapshot: (transaction) => transaction.setAccessMode("read only"),
  upsertClause: (keys, columns) =>
    columns.length === 0
      ? `on conflict (${keys.join(", ")}) do nothing`
      : `on conflict (${keys.join(", ")}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
  addClause: (keys, column) =>
    `on conflict (${keys.join(", ")}) do update set ${column} = ${column} + excluded.${column}`,
  isTransient: (error) => BUSY.has(codeOf(error)),
  hostFault: (error) => {
    const code = codeOf(error);
    return typeof code === "number" ? HOST_FAULTS.get(code & PRIMARY_CODE) : undefined;
  },
  refusal: () => undefined,
  // Another process has the whole file then, and the driver waits for it.
  isLocked: () => false,
  isDuplicateKey: (error) => DUPLICATE.has(codeOf(error)),
  // SQLite's DDL is part of the migration's transaction: nothing is ever left behind.
  isDuplicateIndex: () => false,
  isNullRefused: (error, column) =>
    codeOf(error) === NOT_NULL_CONSTRAINT && error instanceof Error && error.message.endsWith(`.${column}`),
};

/** SQLite's extended result code, where `node:sqlite` has thrown the error. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "errcode" in error ? error.errcode : undefined;
}
