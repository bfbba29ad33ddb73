import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/**
 * Returns a function that opens SQLite databases in memory with the tables of a service. Only the first one is migrated: the others
 * copy its tables.
 */
export function memoryDatabases<Schema>(
  open: (store: { readonly sqliteFile: string }) => Promise<Database<Schema>>,
  migrate: (database: Database<Schema>) => Promise<unknown>,
): () => Promise<Database<Schema>> {
  let schema: Promise<readonly string[]> | undefined;
  const openEmpty = () => open({ sqliteFile: ":memory:" });
  /** Reads the statements that create every table and index. */
  const readSchema = async () => {
    const database = await openEmpty();
    await migrate(database);
    const { rows } = await database.read((query) =>
      sql<{ sql: string }>`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`.execute(
        query,
      ),
    );
    await database.close();
    return rows.map((row) => row.sql);
  };
  return async () => {
    schema ??= readSchema();
    const statements = await schema;
    const database = await openEmpty();
    await database.write(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
    });
    return database;
  };
}
