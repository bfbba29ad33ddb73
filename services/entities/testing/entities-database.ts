import { onTestFinished } from "vitest";
import { memoryDatabases } from "../../../common/platform/testing/memory-databases.ts";
import { migrateStore, openStore } from "../base/open-store.ts";
import type { EntitiesDatabase } from "../base/schema.ts";

/** Opens an SQLite database in memory with the tables of the service. */
export const openMigrated = memoryDatabases(openStore, migrateStore);

/** Opens an SQLite database in memory with the tables of the service, which is closed at the end of the test. */
export async function openEntitiesDatabase(): Promise<EntitiesDatabase> {
  const database = await openMigrated();
  onTestFinished(() => database.close());
  return database;
}
