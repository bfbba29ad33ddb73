import { onTestFinished } from "vitest";
import { migrateStore, openStore } from "../base/open-store.ts";
import type { EntitiesDatabase } from "../base/schema.ts";

/** Opens an SQLite database in memory with the tables of the service, which is closed at the end of the test. */
export async function openEntitiesDatabase(): Promise<EntitiesDatabase> {
  const database = await openStore({ sqliteFile: ":memory:" });
  onTestFinished(() => database.close());
  await migrateStore(database);
  return database;
}
