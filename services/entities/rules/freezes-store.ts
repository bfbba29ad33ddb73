import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { FreezeTable } from "../base/rule-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** An entity that gets no permits in a sale. */
export interface Freeze {
  /** 16 bytes. */
  readonly saleSpecificId: Uint8Array;
  /** A note for the founder. */
  readonly note: string;
  readonly sinceMs: bigint;
}

const FREEZE = tableTarget<FreezeTable>("freeze", {
  sale: "key",
  sale_specific_id: "key",
  note: "value",
  since_ms: "value",
});

/** Whether an entity is frozen in a sale. @param saleSpecificId 16 bytes */
export async function isFrozen(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  saleSpecificId: Uint8Array,
): Promise<boolean> {
  const row = await query
    .selectFrom("freeze")
    .select("since_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("sale_specific_id", "=", Buffer.from(saleSpecificId))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the frozen entities of a sale, the newest first. */
export async function readFreezes(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  limit: number,
): Promise<readonly Freeze[]> {
  const rows = await query
    .selectFrom("freeze")
    .select(["sale_specific_id", "note", "since_ms"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("since_ms", "desc")
    .orderBy("sale_specific_id")
    .limit(limit)
    .execute();
  return rows.map(({ sale_specific_id, note, since_ms }) => ({
    saleSpecificId: Uint8Array.from(sale_specific_id),
    note,
    sinceMs: BigInt(since_ms),
  }));
}

/** Counts the frozen entities of a sale. */
export async function countFreezes(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<number> {
  const row = await query
    .selectFrom("freeze")
    .select(({ fn }) => fn.countAll<bigint | string | number>().as("count"))
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Freezes an entity, or replaces the note of one that is frozen. */
export async function storeFreeze(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  saleUuid: string,
  { saleSpecificId, note, sinceMs }: Freeze,
): Promise<void> {
  const row: FreezeTable = {
    sale: bytesOfHex(saleUuid),
    sale_specific_id: Buffer.from(saleSpecificId),
    note,
    since_ms: sinceMs,
  };
  await upsertRows(transaction, dialect, FREEZE, [row]);
}

/** Ends the freeze of an entity, if there is one. */
export async function deleteFreeze(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  saleSpecificId: Uint8Array,
): Promise<void> {
  await transaction
    .deleteFrom("freeze")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("sale_specific_id", "=", Buffer.from(saleSpecificId))
    .execute();
}
