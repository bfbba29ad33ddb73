import { createExtraDataParser } from "../../../common/sale/figures/extra-data.ts";
import type { ApplyOptions } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import type { StoreConfig } from "../../../services/commitments/config.ts";
import { type CommitmentsStoreOptions, createCommitmentsStore } from "../../../services/commitments/create-store.ts";
import { migrateStore, openStore } from "../../../services/commitments/open-store.ts";
import type { TestDatabase } from "./databases.ts";
import { mysqlOf } from "./mysql-of.ts";

/** Options of applies to the store itself. */
export const APPLY_OPTIONS: ApplyOptions = {
  maxRows: 100,
  extraDataParser: createExtraDataParser,
  onBiddingEnds: async () => {},
};

/** Store configuration of the commitments service for a test's database. */
export function storeConfig(database: TestDatabase): StoreConfig {
  if (database.dialect === "sqlite") return { sqliteFile: database.file };
  return { mysql: mysqlOf(database.url) };
}

/** Opens a test's database with the commitments schema. */
export async function openCommitmentsDatabase(database: TestDatabase): Promise<CommitmentsDatabase> {
  const store = await openStore(storeConfig(database));
  await migrateStore(store);
  return store;
}

/** Opens a test's database as the use cases get it; `store.database` is to be closed. */
export async function openCommitmentsStore(
  database: TestDatabase,
  options: CommitmentsStoreOptions = {},
): Promise<CommitmentsStore> {
  return createCommitmentsStore(await openCommitmentsDatabase(database), options);
}
