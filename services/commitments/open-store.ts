import { migrateToLatest, pendingMigrations } from "../../common/platform/db/migrate.ts";
import { openSqlite } from "../../common/platform/db/sqlite/open-sqlite.ts";
import { migrations } from "./base/migrations.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "./base/schema.ts";
import type { StoreConfig } from "./config.ts";

/** Opens the database. */
export async function openStore(store: StoreConfig): Promise<CommitmentsDatabase> {
  if ("mysql" in store) {
    // Imported here, so that a process on SQLite doesn't load mysql2 (16 MB).
    const { openMysql } = await import("../../common/platform/db/mysql/open-mysql.ts");
    return openMysql<CommitmentsSchema>(store.mysql);
  }
  return openSqlite<CommitmentsSchema>(store.sqliteFile);
}

/** Brings the schema up to date. @returns the names of the migrations that ran. */
export async function migrateStore(database: CommitmentsDatabase): Promise<readonly string[]> {
  return migrateToLatest(database, migrations(database.dialect));
}

/** Returns the names of the migrations that the database lacks. */
export function missingMigrations(database: CommitmentsDatabase): Promise<readonly string[]> {
  return pendingMigrations(database, migrations(database.dialect));
}
