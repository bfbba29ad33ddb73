import { migrateToLatest, pendingMigrations } from "../../../common/platform/db/migrate.ts";
import { openSqlite } from "../../../common/platform/db/sqlite/open-sqlite.ts";
import type { StoreConfig } from "./config.ts";
import { migrations } from "./migrations.ts";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";

/** A prefix of its own, because other services may use the same MySQL database. */
const MIGRATIONS_PREFIX = "entities";

/** Opens the database. */
export async function openStore(store: StoreConfig): Promise<EntitiesDatabase> {
  if ("mysql" in store) {
    // Imported here, so that a process on SQLite doesn't load mysql2 (16 MB).
    const { openMysql } = await import("../../../common/platform/db/mysql/open-mysql.ts");
    return openMysql<EntitiesSchema>(store.mysql);
  }
  return openSqlite<EntitiesSchema>(store.sqliteFile);
}

/** Brings the schema up to date. @returns the names of the migrations that it ran. */
export async function migrateStore(database: EntitiesDatabase): Promise<readonly string[]> {
  return migrateToLatest(database, migrations(database.dialect), MIGRATIONS_PREFIX);
}

/** Returns the names of the migrations that the database lacks. */
export function missingMigrations(database: EntitiesDatabase): Promise<readonly string[]> {
  return pendingMigrations(database, migrations(database.dialect), MIGRATIONS_PREFIX);
}
