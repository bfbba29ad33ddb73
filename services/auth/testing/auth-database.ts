import { onTestFinished } from "vitest";
import { memoryDatabases } from "../../../common/platform/testing/memory-databases.ts";
import { migrateStore, openStore } from "../base/open-store.ts";
import type { AuthDatabase } from "../base/schema.ts";

/** Opens an SQLite database in memory with the auth schema. */
export const openMigrated = memoryDatabases(openStore, migrateStore);

/** Opens an SQLite database in memory with the auth schema, which is closed at the end of the test. */
export async function openAuthDatabase(): Promise<AuthDatabase> {
  const database = await openMigrated();
  onTestFinished(() => database.close());
  return database;
}
