import { sql } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import { lockSale } from "../base/lock-sale.ts";
import { eraseKeys } from "../keys/permit-keys-store.ts";
import { eraseRules } from "../rules/erase-sale.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../schema/schema.ts";
import { storeErasure } from "./sale-permits-store.ts";

/** A table of rows about sales, and the column that comes after `sale` in its key. */
interface SaleRows {
  readonly table: keyof EntitiesSchema;
  readonly column: string;
}

/** Permits stay, with the entities, wallets and members that they have bound. */
const ERASED: readonly SaleRows[] = [
  { table: "group_member", column: "member" },
  { table: "denied_wallet", column: "wallet" },
  { table: "imported_entity_id", column: "email" },
  { table: "liveness", column: "entity" },
];
/** The approximate number of rows that one statement deletes. */
const BATCH = 500;

/** Erases the rules, members, deny list and keys of a sale that was removed. May be repeated. */
export async function eraseSale(
  { database, clock }: Pick<BaseDependencies, "database" | "clock">,
  saleUuid: string,
): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    await storeErasure(transaction, saleUuid, clock());
    await eraseKeys(transaction, saleUuid);
    await eraseRules(transaction, saleUuid);
    await transaction.deleteFrom("participant_count").where("sale", "=", sale).execute();
  });
  for (const rows of ERASED) {
    for (let more = true; more; ) more = await deleteBatch(database, rows, sale);
  }
}

/** Deletes rows in batches that each hold few locks: a sale may have a million members. @returns whether there may be more */
async function deleteBatch(
  database: EntitiesDatabase,
  { table, column }: SaleRows,
  sale: Uint8Array,
): Promise<boolean> {
  const key = sql.ref<Uint8Array>(column);
  const ofSale = sql`from ${sql.table(table)} where sale = ${sale}`;
  const last = sql<{ edge: Uint8Array }>`
    select ${key} as edge ${ofSale} order by ${key} limit 1 offset ${sql.lit(BATCH - 1)}`;
  const edge = (await database.read((query) => last.execute(query))).rows[0]?.edge;
  const batch = edge === undefined ? sql`` : sql` and ${key} <= ${Buffer.from(edge)}`;
  await database.write((transaction) => sql`delete ${ofSale}${batch}`.execute(transaction));
  return edge !== undefined;
}
