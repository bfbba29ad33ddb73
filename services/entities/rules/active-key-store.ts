import type { Kysely } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { EntitiesSchema } from "../schema/schema.ts";

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
