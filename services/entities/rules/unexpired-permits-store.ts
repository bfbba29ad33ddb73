import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Counts the permits of a sale that haven't expired. @param saleSpecificId only those of one entity; 16 bytes */
export async function countUnexpiredPermits(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  nowMs: bigint,
  saleSpecificId?: Uint8Array,
): Promise<bigint> {
  const unexpired = query
    .selectFrom("permit")
    .select(({ fn }) => fn.countAll<bigint | string | number>().as("count"))
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("expires_at_ms", ">", nowMs);
  const counted =
    saleSpecificId === undefined ? unexpired : unexpired.where("sale_specific_id", "=", Buffer.from(saleSpecificId));
  return BigInt((await counted.executeTakeFirstOrThrow()).count);
}
