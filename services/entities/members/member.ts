import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { MemberKeyKind } from "../base/rule-tables.ts";

/** A member that isn't stored yet: who has an e-mail address, uses a wallet or is an entity. */
export interface NewMember {
  /** Lower case. */
  readonly groupUuid: string;
  readonly key: MemberKey;
  /** Bounds of this member alone; absent: those of the group. */
  readonly minAmount?: bigint;
  readonly maxAmount?: bigint;
}

export interface Member extends NewMember {
  readonly uuid: string;
}

/** Whether two members have the same bounds. */
export function hasSameBounds(
  one: Pick<NewMember, "minAmount" | "maxAmount">,
  other: Pick<NewMember, "minAmount" | "maxAmount">,
): boolean {
  return one.minAmount === other.minAmount && one.maxAmount === other.maxAmount;
}

/** The key that makes an entity a member: an e-mail address, a wallet or an entity ID. */
export interface MemberKey {
  readonly kind: MemberKeyKind;
  /** E-mail: its ASCII text in lower case. Wallet: the bytes of its address, 20 or 32. Entity: the 16 bytes of its ID in the sale. */
  readonly value: Uint8Array;
}

const UUID_BYTES = 16;

/** Returns the HMAC by which a key is found. */
export function memberKeyMac(
  { index }: Pick<DerivedKeys, "index">,
  saleUuid: string,
  { kind, value }: MemberKey,
): Buffer {
  return macOf(index, "member", bytesOfHex(saleUuid), kind, value);
}

/** Returns the 16 bytes of a member's UUID. They follow from its key and group, so that storing it again changes nothing. */
export function memberUuidBytes({ index }: Pick<DerivedKeys, "index">, keyMac: Uint8Array, groupUuid: string): Buffer {
  return macOf(index, "member uuid", keyMac, bytesOfHex(groupUuid)).subarray(0, UUID_BYTES);
}

/** Returns the key of a member by e-mail address. @param email in lower case, as `parseEmailAddress` returns it */
export function emailKey(email: string): MemberKey {
  return { kind: "email", value: Buffer.from(email) };
}
