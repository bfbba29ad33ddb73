import { atTestEnd } from "../../../common/platform/testing/test-end.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { openMigrated } from "./memory-database.ts";

/** Opens an SQLite database in memory with the auth schema, which is closed at the end of the test. */
export async function openAuthDatabase(): Promise<AuthDatabase> {
  const database = await openMigrated();
  atTestEnd(() => database.close());
  return database;
}
