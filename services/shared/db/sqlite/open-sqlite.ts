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

/** A write transaction takes its lock at once: one that began by reading could otherwise fail half-way. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await connection.executeQuery(CompiledQuery.raw(begin));
  }
}

/** SQLite's DDL is transactional, which Kysely leaves unused: a run of migrations is kept whole or not at all. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Opens an SQLite file, creating it where it is missing. Kysely lends its one connection to one user at a time.
 *
 * @param path of the file, or `:memory:`.
 */
export function openSqlite<Schema>(path: string): Database<Schema> {
  const connect = () => connectSqlite<Schema>(path);
  // A second connection would open another database in memory.
  return new Database(connect(), sqliteDialect, path === ":memory:" ? undefined : connect);
}

function connectSqlite<Schema>(path: string): Kysely<Schema> {
  const config = { database: new NodeSqliteDatabase(path) };
  const base = new SqliteDialect(config);
  const dialect: Dialect = {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(config),
    createIntrospector: (database) => base.createIntrospector(database),
    createQueryCompiler: () => base.createQueryCompiler(),
  };
  return new Kysely<Schema>({ dialect });
}
