import { sql } from "kysely";
import { BATCH_SIZE } from "../../../common/platform/db/batches.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeInOrder } from "../../../common/platform/db/sql/execute-in-order.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { insertAllocations } from "../base/allocation-rows.ts";
import type { Tx } from "../base/sale-rows.ts";
import { decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";

/** Inserts a part of a set of allocations. @returns false if one of them is stored: then the transaction is to be rolled back */
export async function insertPart(
  dialect: SqlDialect,
  { transaction, sale }: ChangingSale,
  version: bigint,
  allocations: readonly Allocation[],
): Promise<boolean> {
  try {
    await executeInOrder(transaction, insertAllocations(dialect, { saleUuid: sale.uuid, version }, allocations));
    return true;
  } catch (error) {
    if (!dialect.isDuplicateKey(error)) throw error;
    return false;
  }
}

/**
 * Deletes the allocations of a sale that readers aren't shown any more, in small batches that each hold few locks. Those of a
 * set that isn't finished stay.
 */
export async function deleteOldAllocations(database: CommitmentsDatabase, saleUuid: string): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  const row = await database.read((connection) =>
    connection.selectFrom("sale_state").selectAll().where("sale", "=", sale).executeTakeFirst(),
  );
  const version = row && decodeSaleState(row).allocations?.version;
  if (version === undefined) return;
  for (let more = true; more; ) more = await database.write((transaction) => deleteBatch(transaction, sale, version));
}

/** @returns whether there may be more */
async function deleteBatch(transaction: Tx, sale: Uint8Array, version: bigint): Promise<boolean> {
  const old = sql<boolean>`sale = ${sale} and version < ${version}`;
  const order = sql`order by version, entity_id limit 1 offset ${sql.lit(BATCH_SIZE - 1)}`;
  const edge = await sql<{ version: bigint | string; entity_id: Uint8Array }>`
    select version, entity_id from allocation where ${old} ${order}`.execute(transaction);
  const [last] = edge.rows;
  const isBefore =
    last && sql`version < ${last.version} or (version = ${last.version} and entity_id <= ${last.entity_id})`;
  const batch = isBefore === undefined ? old : sql`${old} and (${isBefore})`;
  await sql`delete from allocation where ${batch}`.execute(transaction);
  return last !== undefined;
}
