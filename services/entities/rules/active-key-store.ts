import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Whether a sale has a key that signs its permits. */
export async function hasActiveKey(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("permit_key")
    .select("permit_key")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("status", "=", "active")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns those of some sales that have a key that signs their permits. */
export async function salesWithActiveKey(
  query: Kysely<EntitiesSchema>,
  saleUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (saleUuids.length === 0) return new Set();
  const rows = await query
    .selectFrom("permit_key")
    .select("sale")
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .where("status", "=", "active")
    .execute();
  return new Set(rows.map(({ sale }) => uuidFromBytes(sale)));
}
