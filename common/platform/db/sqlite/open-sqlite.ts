import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
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
import { Database } from "../database.ts";
import { NodeSqliteDatabase } from "./sqlite-database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

const IN_MEMORY = ":memory:";

/**
 * Takes the lock of a write transaction at its beginning: one that began by reading could fail half-way. Rolls nothing back where
 * SQLite has done so by itself: that would fail, and its error would hide the first one.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: NodeSqliteDatabase;

  constructor(database: NodeSqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isInTransaction) await super.rollbackTransaction(connection);
  }
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
 */
export function openSqlite<Schema>(path: string): Database<Schema> {
  if (path !== IN_MEMORY) makePrivateFile(path);
  const connect = () => connectSqlite<Schema>(path);
  // In memory, a second connection would open another database.
  return new Database(connect(), sqliteDialect, path === IN_MEMORY ? {} : { connect });
}

function connectSqlite<Schema>(path: string): Kysely<Schema> {
  const database = new NodeSqliteDatabase(path);
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
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  closeSync(openSync(path, "a", OWNER_ONLY_FILE));
  chmodSync(path, OWNER_ONLY_FILE);
}
