import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { GroupMemberTable } from "../base/rule-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { Member, NewMember } from "./member.ts";
import { memberKeyMac, memberUuidBytes } from "./member.ts";

const MEMBER = tableTarget<GroupMemberTable>("group_member", {
  sale: "key",
  member: "key",
  member_group: "value",
  key_kind: "value",
  key_mac: "value",
  key_value: "value",
  min_amount: "value",
  max_amount: "value",
});

/** The members of a page. */
export interface MemberPage {
  /** The last member of the page before in hex; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Only those of a group. */
  readonly groupUuid?: string | undefined;
  /** Only those with one of these keys. */
  readonly keyMacs?: readonly Uint8Array[] | undefined;
}

/** Returns the bounds of those of some members that are stored, by their ID in hex. @param members at least one */
export async function readStoredBounds(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  members: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Pick<NewMember, "minAmount" | "maxAmount">>> {
  const rows = await query
    .selectFrom("group_member")
    .select(["member", "min_amount", "max_amount"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("member", "in", members)
    .execute();
  return new Map(rows.map((row) => [hexOfBytes(row.member), boundsOfRow(row)]));
}

/** Stores members, or overwrites them. */
export async function storeMembers(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  rows: readonly GroupMemberTable[],
): Promise<void> {
  await upsertRows(transaction, dialect, MEMBER, rows);
}

/** Deletes members. @param members at least one @returns how many there were */
export async function deleteMembers(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  members: readonly Uint8Array[],
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom("group_member")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("member", "in", members)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns a page of a sale's members in the order of their IDs. */
export async function readMemberRows(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { after, limit, groupUuid, keyMacs }: MemberPage,
): Promise<readonly GroupMemberTable[]> {
  let page = query.selectFrom("group_member").selectAll().where("sale", "=", bytesOfHex(saleUuid));
  if (groupUuid !== undefined) page = page.where("member_group", "=", bytesOfHex(groupUuid));
  if (keyMacs !== undefined) page = page.where("key_mac", "in", keyMacs);
  if (after !== "") page = page.where("member", ">", bytesOfHex(after));
  return page.orderBy("member").limit(limit).execute();
}

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
function boundsOfRow({ min_amount, max_amount }: Pick<GroupMemberTable, "min_amount" | "max_amount">) {
  return {
    ...(min_amount !== null && { minAmount: BigInt(min_amount) }),
    ...(max_amount !== null && { maxAmount: BigInt(max_amount) }),
  };
}

/** Binds the encrypted address to its member, whose ID follows from sale, address and group. */
export function wrapName(member: Uint8Array): string {
  return `member ${hexOfBytes(member)}`;
}
