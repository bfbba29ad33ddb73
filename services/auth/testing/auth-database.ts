import { onTestFinished } from "vitest";
import { migrateStore, openStore } from "../base/open-store.ts";
import type { AuthDatabase } from "../base/schema.ts";

/** Opens an SQLite database in memory with the auth schema, which is closed at the end of the test. */
export async function openAuthDatabase(): Promise<AuthDatabase> {
  const database = await openStore({ sqliteFile: ":memory:" });
  onTestFinished(() => database.close());
  await migrateStore(database);
  return database;
}
