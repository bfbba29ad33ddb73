import type { Migration } from "kysely/migration";
import { migrateToLatest, pendingMigrations } from "../../../common/platform/db/migrate.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { openSqlite } from "../../../common/platform/db/sqlite/open-sqlite.ts";
import { alertMigrations } from "./alert-tables.ts";
import { auditMigrations } from "./audit-tables.ts";
import type { StoreConfig } from "./config.ts";
import { dayMigrations } from "./day-tables.ts";
import { entityMigrations } from "./entity-tables.ts";
import { permitMigrations } from "./permit-tables.ts";
import { ruleMigrations } from "./rule-tables.ts";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";
import { secretMigrations } from "./secret-tables.ts";
import { setupMigrations } from "./setup-tables.ts";
import { walletMigrations } from "./wallet-tables.ts";

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

/**
 * The migrations of the service's tables, one statement each, which run in the order of their names. The first ones are
 * numbered by subject: a hundred each. A released migration never changes: later changes begin at 500.
 */
function migrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  return {
    ...entityMigrations(dialect),
    ...setupMigrations(dialect),
    ...walletMigrations(dialect),
    ...ruleMigrations(dialect),
    ...permitMigrations(dialect),
    ...auditMigrations(dialect),
    ...secretMigrations(dialect),
    ...alertMigrations(dialect),
    ...dayMigrations(dialect),
  };
}
