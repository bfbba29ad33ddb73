import { memoryDatabases } from "../../../common/platform/testing/memory-databases.ts";
import { migrateStore, openStore } from "../base/open-store.ts";

/** Opens an SQLite database in memory with the tables of the service. */
export const openMigrated = memoryDatabases(openStore, migrateStore);
