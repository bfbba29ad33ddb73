import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./database.ts";

/**
 * Brings the schema up to date. Several processes may call it at once: a lock in the database (SQLite: the transaction of
 * the run) lets one at a time go on, and the others find nothing left to do.
 *
 * @param migrations by name, run in the order of their names; each is one DDL statement, as DDL isn't transactional.
 * @param prefix of the tables in which the run is kept: services that share a database take different ones.
 * @returns the names of those that were run now.
 */
export async function migrateToLatest<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix = "kysely",
): Promise<readonly string[]> {
  return database.retry(async () => {
    const { error, results } = await migratorOf(database, migrations, prefix).migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** Names of the migrations that the database doesn't have yet. Parameters as above; changes nothing. */
export async function pendingMigrations<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix = "kysely",
): Promise<readonly string[]> {
  const known = await migratorOf(database, migrations, prefix).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

function migratorOf<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix: string,
): Migrator {
  return new Migrator({
    db: database.query,
    provider: { getMigrations: async (): Promise<Record<string, Migration>> => ({ ...migrations }) },
    migrationTableName: `${prefix}_migration`,
    migrationLockTableName: `${prefix}_migration_lock`,
  });
}
