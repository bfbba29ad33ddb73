import type { Transaction } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/**
 * Binds the keys of members to the entity that gets a permit as these members. Call it in the transaction that records the
 * permit, after `matchMembers` in the same transaction.
 *
 * @param memberKeys HMACs of keys, in hex, as `decideParticipation` returns them
 * @throws an error for which `isDuplicateKey` is true where another entity binds one of them meanwhile: use `writeLocked`,
 *   whose next attempt finds that the key isn't this entity's
 */
export async function bindMembers(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
  memberKeys: readonly string[],
): Promise<void> {
  if (memberKeys.length === 0) return;
  const [sale, entity] = [bytesOfHex(saleUuid), bytesOfHex(entityUuid)];
  const stored = await transaction
    .selectFrom("matched_member")
    .select("key_mac")
    .where("sale", "=", sale)
    .where("entity", "=", entity)
    .execute();
  const bound = new Set(stored.map(({ key_mac }) => hexOfBytes(key_mac)));
  const rows = [...new Set(memberKeys)]
    .filter((mac) => !bound.has(mac))
    .map((mac) => ({ sale, key_mac: bytesOfHex(mac), entity }));
  if (rows.length > 0) await transaction.insertInto("matched_member").values(rows).execute();
}
