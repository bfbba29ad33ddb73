import { onTestFinished } from "vitest";
import type { EntitiesDatabase } from "../base/schema.ts";
import { openMigrated } from "./memory-database.ts";

/** Opens an SQLite database in memory with the tables of the service, which is closed at the end of the test. */
export async function openEntitiesDatabase(): Promise<EntitiesDatabase> {
  const database = await openMigrated();
  onTestFinished(() => database.close());
  return database;
}
