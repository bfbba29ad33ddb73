import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { GroupMemberTable } from "../base/rule-tables.ts";
import type { Member, NewMember } from "./member.ts";
import { memberKeyMac, memberUuidBytes } from "./member-key.ts";

type Keys = Pick<DerivedKeys, "index" | "memberEmail">;

/** The columns by which a member is found, as they follow from its key and group. */
export interface MemberIds {
  readonly member: Buffer;
  readonly keyMac: Buffer;
}

export function memberIds(
  keys: Pick<DerivedKeys, "index">,
  saleUuid: string,
  { key, groupUuid }: NewMember,
): MemberIds {
  const keyMac = memberKeyMac(keys, saleUuid, key);
  return { keyMac, member: memberUuidBytes(keys, keyMac, groupUuid) };
}

/** Makes the row of a member, its e-mail address encrypted. */
export function rowOfMember(
  keys: Keys,
  saleUuid: string,
  { member, keyMac }: MemberIds,
  added: NewMember,
): GroupMemberTable {
  const { key, groupUuid, minAmount, maxAmount } = added;
  const isEmail = key.kind === "email";
  return {
    sale: bytesOfHex(saleUuid),
    member,
    member_group: bytesOfHex(groupUuid),
    key_kind: key.kind,
    key_mac: keyMac,
    key_value: isEmail ? wrap(keys.memberEmail, wrapName(member), key.value) : Buffer.from(key.value),
    min_amount: minAmount?.toString() ?? null,
    max_amount: maxAmount?.toString() ?? null,
  };
}

/** @throws Error if the e-mail address was encrypted with another `KEY_ENCRYPTION_KEY` */
export function memberOfRow(keys: Pick<DerivedKeys, "memberEmail" | "other">, row: GroupMemberTable): Member {
  const { member, member_group, key_kind, key_value, min_amount, max_amount } = row;
  const wrapKeys = bothKeys(keys, "memberEmail");
  const value = key_kind === "email" ? unwrapWithAny(wrapKeys, wrapName(member), key_value) : key_value;
  if (value === undefined) throw new Error("a member's address can't be decrypted: KEY_ENCRYPTION_KEY is another one");
  return {
    uuid: uuidFromBytes(member),
    groupUuid: uuidFromBytes(member_group),
    key: { kind: key_kind, value: Uint8Array.from(value) },
    ...boundsOfRow({ min_amount, max_amount }),
  };
}

/** Converts the bounds of a row. */
export function boundsOfRow({ min_amount, max_amount }: Pick<GroupMemberTable, "min_amount" | "max_amount">) {
  return {
    ...(min_amount !== null && { minAmount: BigInt(min_amount) }),
    ...(max_amount !== null && { maxAmount: BigInt(max_amount) }),
  };
}

/** Binds the encrypted address to its member, whose ID follows from sale, address and group. */
export function wrapName(member: Uint8Array): string {
  return `member ${hexOfBytes(member)}`;
}
