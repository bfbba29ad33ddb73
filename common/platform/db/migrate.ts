import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./database.ts";

/**
 * Brings the schema up to date. Several processes may call it at once: a lock in the database (SQLite: the transaction)
 * lets them run one after another, and the later ones find nothing left to do. A schema that has all migrations and further ones
 * is that of a newer version, which this one can use: after `helm rollback`, the previous version's Job finds nothing to do.
 *
 * @param migrations by name. They run in the order of their names. Each may be repeated after a run that died in it, as DDL isn't
 *   transactional
 * @param prefix of the tables that record the runs. Services that share a database need different ones
 * @returns the names of the migrations that ran now
 * @throws Error if the schema lacks a migration and has one that this version doesn't know
 */
export async function migrateToLatest<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix = "kysely",
): Promise<readonly string[]> {
  return database.retry(async () => {
    if ((await readPending(database, migrations, prefix)).length === 0) return [];
    const { error, results } = await migratorOf(database, migrations, prefix).migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** Names of the migrations that haven't run yet. Parameters as for `migrateToLatest`; changes nothing. */
export function pendingMigrations<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix = "kysely",
): Promise<readonly string[]> {
  return database.retry(() => readPending(database, migrations, prefix));
}

async function readPending<Schema>(
  database: Database<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  prefix: string,
): Promise<readonly string[]> {
  const all = await migratorOf(database, migrations, prefix).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
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
