import { sql, type Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";

/** The data about a sale that a subject erases when the sale was removed. Each step may be repeated. */
export interface SaleErasure {
  /** Deletes what is short, in the transaction that locks the sale. */
  readonly short?: (transaction: Transaction<EntitiesSchema>, saleUuid: string) => Promise<void>;
  /** Deletes what may be long, after that transaction and outside of the lock. */
  readonly long?: (database: EntitiesDatabase, saleUuid: string) => Promise<void>;
}

/** A table of rows about sales. */
interface SaleRows {
  readonly table: keyof EntitiesSchema;
  /** The column that comes after `sale` in the table's key; the key of a table whose key is without the sale. */
  readonly column: string;
}

/** The approximate number of rows that one statement deletes. */
const BATCH = 500;

/** Deletes all rows of a sale, in batches that each hold few locks: a sale may have a million members. */
export async function deleteSaleRows(database: EntitiesDatabase, rows: SaleRows, saleUuid: string): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  for (let more = true; more; ) more = await deleteBatch(database, rows, sale);
}

/** @returns whether there may be more */
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
