import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { GroupMemberTable } from "../base/rule-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { NewMember } from "./member.ts";
import { boundsOfRow } from "./member-rows.ts";

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
