import { sql } from "kysely";
import { onTestFinished } from "vitest";
import { migrateStore, openStore } from "../base/open-store.ts";
import type { AuthDatabase } from "../base/schema.ts";

const IN_MEMORY = { sqliteFile: ":memory:" };

let schema: Promise<readonly string[]> | undefined;

/** Opens an SQLite database in memory with the auth schema, which is closed at the end of the test. */
export async function openAuthDatabase(): Promise<AuthDatabase> {
  const database = await openMigrated();
  onTestFinished(() => database.close());
  return database;
}

/** Opens an SQLite database in memory with the auth schema. Only the first one is migrated: the others copy its tables. */
export async function openMigrated(): Promise<AuthDatabase> {
  schema ??= readSchema();
  const statements = await schema;
  const database = await openStore(IN_MEMORY);
  await database.write(async (transaction) => {
    for (const statement of statements) await sql.raw(statement).execute(transaction);
  });
  return database;
}

/** The statements that create every table and index. */
async function readSchema(): Promise<readonly string[]> {
  const database = await openStore(IN_MEMORY);
  await migrateStore(database);
  const { rows } = await database.read((query) =>
    sql<{ sql: string }>`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`.execute(
      query,
    ),
  );
  await database.close();
  return rows.map((row) => row.sql);
}
