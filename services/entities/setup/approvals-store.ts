import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Sets whether the mail about the coming end of an approval was sent, or needn't be. The transaction has locked the entity. */
export async function storeWarned(
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  warned: boolean,
): Promise<void> {
  await transaction
    .updateTable("entity")
    .set({ approval_warned: warned ? 1 : 0 })
    .where("entity", "=", bytesOfHex(entityUuid))
    .execute();
}

/** Returns the UUIDs of entities whose approvals end at or before a time, by whether their persons were warned. */
export async function readEndingApprovals(
  query: Kysely<EntitiesSchema>,
  { warned, untilMs, limit }: { readonly warned: boolean; readonly untilMs: bigint; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await query
    .selectFrom("entity")
    .select("entity")
    .where("approval_warned", "=", warned ? 1 : 0)
    .where("approval_expires_at_ms", "<=", untilMs)
    .orderBy("approval_expires_at_ms")
    .limit(limit)
    .execute();
  return rows.map(({ entity }) => uuidFromBytes(entity));
}
