import type { Kysely, Transaction } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { emailKey, type MemberKey, memberKeyMac } from "./member.ts";

/** A wallet by which an entity may be a member. */
export interface MemberWallet {
  /** The bytes of its address: 20 or 32. */
  readonly bytes: Uint8Array;
  /** Whether a signature has proved that the wallet is the entity's. */
  readonly proved: boolean;
}

/** The entity whose memberships are looked up. */
export interface MemberCandidate {
  readonly entityUuid: string;
  /** 16 bytes. */
  readonly saleSpecificId: Uint8Array;
  /** The account's address, in lower case. */
  readonly email: string;
  /**
   * The wallets that are linked to the entity or bound to it in the sale, and the one that it wants a permit for. None that
   * is bound to another entity in the sale.
   */
  readonly wallets: readonly MemberWallet[];
}

/** A membership of an entity. */
export interface MatchedMember {
  readonly groupUuid: string;
  /** The member's own bounds; absent: the group's. */
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
  /** HMAC of the key, in hex. */
  readonly keyMac: string;
  /**
   * Whether a permit binds the key to the entity. Not for a wallet without proof: its binding in the sale is enough, and
   * ends if no bid arrives.
   */
  readonly binds: boolean;
}

/** Returns the memberships of an entity, apart from those that a permit has bound to another entity. */
export async function matchMembers(
  query: Kysely<EntitiesSchema>,
  derivedKeys: Pick<DerivedKeys, "index">,
  saleUuid: string,
  candidate: MemberCandidate,
): Promise<readonly MatchedMember[]> {
  const sale = bytesOfHex(saleUuid);
  const binding = bindingKeys(derivedKeys, saleUuid, candidate);
  const bound = await readBound(query, sale, [...binding.keys()], candidate.entityUuid);
  for (const mac of bound.own) binding.set(mac, true);
  const macs = [...binding.keys()].filter((mac) => !bound.others.has(mac));
  const rows = await query
    .selectFrom("group_member")
    .select(["member_group", "key_mac", "min_amount", "max_amount"])
    .where("sale", "=", sale)
    .where("key_mac", "in", macs.map(bytesOfHex))
    .orderBy("member")
    .execute();
  return rows.map(({ member_group, key_mac, min_amount, max_amount }) => ({
    groupUuid: uuidFromBytes(member_group),
    ...(min_amount !== null && { minAmount: BigInt(min_amount) }),
    ...(max_amount !== null && { maxAmount: BigInt(max_amount) }),
    keyMac: hexOfBytes(key_mac),
    binds: binding.get(hexOfBytes(key_mac)) ?? false,
  }));
}

/** Returns the HMACs of a candidate's keys in hex, and whether a permit binds each. */
function bindingKeys(
  derivedKeys: Pick<DerivedKeys, "index">,
  saleUuid: string,
  { email, saleSpecificId, wallets }: MemberCandidate,
): Map<string, boolean> {
  const macOfKey = (key: MemberKey) => hexOfBytes(memberKeyMac(derivedKeys, saleUuid, key));
  return new Map([
    ...wallets.map(({ bytes, proved }) => [macOfKey({ kind: "wallet", value: bytes }), proved] as const),
    [macOfKey(emailKey(email)), true],
    [macOfKey({ kind: "entity", value: saleSpecificId }), true],
  ]);
}

/** Returns the keys that permits have bound to the entity, and those of the given ones that are bound to another. */
async function readBound(
  query: Kysely<EntitiesSchema>,
  sale: Uint8Array,
  macs: readonly string[],
  entityUuid: string,
): Promise<{ readonly own: readonly string[]; readonly others: ReadonlySet<string> }> {
  const entity = bytesOfHex(entityUuid);
  const matched = () => query.selectFrom("matched_member").select("key_mac").where("sale", "=", sale);
  const own = await matched().where("entity", "=", entity).execute();
  const others = await matched().where("key_mac", "in", macs.map(bytesOfHex)).where("entity", "!=", entity).execute();
  return {
    own: own.map(({ key_mac }) => hexOfBytes(key_mac)),
    others: new Set(others.map(({ key_mac }) => hexOfBytes(key_mac))),
  };
}

/**
 * Binds the keys of members to the entity that gets a permit as these members. Call it in the transaction that records the
 * permit, after `matchMembers` in the same transaction.
 *
 * @param memberKeys HMACs of keys, in hex, as `decideEligibility` returns them
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
