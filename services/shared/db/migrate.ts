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
  const migrator = new Migrator({
    db: database.query,
    provider: { getMigrations: async (): Promise<Record<string, Migration>> => ({ ...migrations }) },
    migrationTableName: `${prefix}_migration`,
    migrationLockTableName: `${prefix}_migration_lock`,
  });
  return database.retry(async () => {
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}
