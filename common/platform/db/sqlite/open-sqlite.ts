import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";
import { ConfigError } from "../../config/config-error.ts";
import { requireWritableFolder } from "../../config/writable-folder.ts";
import { Database } from "../database.ts";
import { traceStatement } from "../sql/statement-span.ts";
import { NodeSqliteDatabase } from "./sqlite-database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

const IN_MEMORY = ":memory:";
/** The setting of the folder in which all SQLite files are. */
const FOLDER_SETTING = "DATA_DIR";
/** SQLite's own files beside a database: an earlier process, or a restore, may have left them. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;
/** Faults that somebody has to mend, as against a disk that is full or fails. */
const CONFIGURATION_FAULTS: ReadonlySet<unknown> = new Set(["EACCES", "EISDIR", "ELOOP", "ENOTDIR", "EPERM", "EROFS"]);
const ATTRIBUTES = { "db.system.name": sqliteDialect.name } as const;

/**
 * Takes the lock of a write transaction at its beginning: one that began by reading could fail half-way. Rolls nothing back where
 * SQLite has done so by itself: that would fail, and its error would hide the first one.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: NodeSqliteDatabase;
  #connection: DatabaseConnection | undefined;

  constructor(database: NodeSqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  /** Returns the one connection, whose statements are spans of recorded traces. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= withSpans(await super.acquireConnection());
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isInTransaction) await super.rollbackTransaction(connection);
  }
}

function withSpans(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query) => traceStatement(query, ATTRIBUTES, () => connection.executeQuery(query)),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  };
}

/** Runs migrations in one transaction: SQLite's DDL is transactional, which Kysely's own adapter doesn't use. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Opens an SQLite file, and creates it with its folder if it is missing. Only this user may read the file. Kysely lets one
 * user at a time have its one connection.
 *
 * @param path of the file, or `:memory:`.
 * @throws ConfigError naming the folder or file that this process can't write: waiting would mend nothing
 */
export function openSqlite<Schema>(path: string): Database<Schema> {
  if (path !== IN_MEMORY) makePrivateFile(path);
  const connect = () => connectSqlite<Schema>(new NodeSqliteDatabase(path));
  // In memory, a second connection would open another database.
  return new Database(connect(), sqliteDialect, path === IN_MEMORY ? {} : { connect });
}

/**
 * Opens an SQLite file to read it, beside a process that writes it or without one, and changes and creates no file.
 *
 * @returns undefined if an earlier process ended without taking in its log, which only a start does
 * @throws ConfigError as `openSqlite`
 */
export function openSqliteToRead<Schema>(path: string): Database<Schema> | undefined {
  requireUsableFiles(path);
  const mode = readingMode(path);
  if (mode === undefined) return undefined;
  const url = pathToFileURL(path);
  url.search = mode;
  return new Database(connectSqlite<Schema>(new NodeSqliteDatabase(url, { readOnly: true })), sqliteDialect);
}

/**
 * Returns how SQLite is asked for the file. It makes companions that are missing even for a reader, and leaves them behind, perhaps as
 * another user; if they are missing, nobody has the file open, and it can be taken for one that doesn't change.
 */
function readingMode(path: string): string | undefined {
  const [log, index, journal] = COMPANIONS.map(
    (suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size,
  );
  if (journal !== undefined && journal > 0) return undefined;
  if (log !== undefined && index !== undefined) return "?mode=ro";
  return log === undefined || log === 0 ? "?immutable=1" : undefined;
}

function connectSqlite<Schema>(database: NodeSqliteDatabase): Kysely<Schema> {
  const base = new SqliteDialect({ database });
  const dialect: Dialect = {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(database),
    createIntrospector: (query) => base.createIntrospector(query),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
  return new Kysely<Schema>({ dialect });
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Creates a file, with its folder, that only this user may read. An existing file gets the same mode, an existing folder
 * keeps its own. SQLite gives its `-wal` and `-shm` files the mode of the database file.
 */
function makePrivateFile(path: string): void {
  requireWritableFolder(FOLDER_SETTING, dirname(path));
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  namingFile(path, () => {
    closeSync(openSync(path, "a", OWNER_ONLY_FILE));
    chmodSync(path, OWNER_ONLY_FILE);
  });
  for (const suffix of COMPANIONS) namingFile(`${path}${suffix}`, requireWritableFile);
}

/** Checks all that `makePrivateFile` does for a file that is there, and changes nothing. */
function requireUsableFiles(path: string): void {
  requireWritableFolder(FOLDER_SETTING, dirname(path));
  namingFile(path, requireOwnFile);
  for (const suffix of ["", ...COMPANIONS]) namingFile(`${path}${suffix}`, requireWritableFile);
}

/** Only its owner, and root, can change the mode of a file. */
function requireOwnFile(path: string): void {
  const user = process.getuid?.() ?? 0;
  if (user !== 0 && statSync(path).uid !== user) throw Object.assign(new Error("another's file"), { code: "EPERM" });
}

/** Accepts a file that is missing. Opens none: closing it would end the locks that this process has on it. */
function requireWritableFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw Object.assign(new Error("no file"), { code: "EISDIR" });
  accessSync(path, constants.R_OK | constants.W_OK);
}

function namingFile(path: string, step: (path: string) => void): void {
  try {
    step(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (!CONFIGURATION_FAULTS.has(code)) throw error;
    const file = JSON.stringify(resolve(path));
    throw new ConfigError(
      FOLDER_SETTING,
      `expected a database that this user owns and can write, ${file} gives ${code}`,
    );
  }
}
