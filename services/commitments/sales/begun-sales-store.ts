import { sql } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Tx } from "../base/sale-rows.ts";

const NO_COPY = "00000000-0000-0000-0000-000000000000";

/** A sale that a person has begun to set up. */
export interface BegunSale {
  readonly saleUuid: string;
  readonly entries: string;
}

export interface BegunSaleKey {
  readonly ownerAccountUuid: string;
  /** The sale that is copied; empty for none. */
  readonly copyOf: string;
}

/** Returns the sale that a person has begun. */
export async function readBegunSale(
  transaction: Tx,
  { ownerAccountUuid, copyOf }: BegunSaleKey,
): Promise<BegunSale | undefined> {
  const row = await transaction
    .selectFrom("begun_sale")
    .select(["sale", "entries"])
    .where("owner", "=", bytesOfHex(ownerAccountUuid))
    .where("copy_of", "=", bytesOfHex(copyOf || NO_COPY))
    .executeTakeFirst();
  return row && { saleUuid: uuidFromBytes(row.sale), entries: row.entries };
}

/** Stores a sale that a person begins; does nothing if this person has begun one. */
export async function insertBegunSale(
  dialect: SqlDialect,
  transaction: Tx,
  { ownerAccountUuid, copyOf }: BegunSaleKey,
  saleUuid: string,
): Promise<void> {
  await transaction
    .insertInto("begun_sale")
    .values({
      owner: bytesOfHex(ownerAccountUuid),
      copy_of: bytesOfHex(copyOf || NO_COPY),
      sale: bytesOfHex(saleUuid),
      entries: "",
      begun_at_ms: dialect.nowMillis,
    })
    .modifyEnd(sql.raw(dialect.upsertClause(["owner", "copy_of"], ["owner"])))
    .execute();
}

/** Returns the person who has begun a sale; undefined for a UUID that nobody has begun. */
export async function ownerOfBegunSale(transaction: Tx, saleUuid: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom("begun_sale")
    .select("owner")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row && uuidFromBytes(row.owner);
}

export async function storeBegunEntries(transaction: Tx, saleUuid: string, entries: string): Promise<void> {
  await transaction.updateTable("begun_sale").set({ entries }).where("sale", "=", bytesOfHex(saleUuid)).execute();
}

export async function deleteBegunSale(transaction: Tx, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("begun_sale").where("sale", "=", bytesOfHex(saleUuid)).execute();
}
