import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthSchema, MemberTable, SaleAccessTable } from "../base/schema.ts";
import type { RoleInSale } from "./check-role.ts";
import { MAX_MEMBERS, type MemberRole } from "./membership.ts";
import { lockSale } from "./sale-access-store.ts";

const MEMBER_TARGET = tableTarget<MemberTable>("member", { sale: "key", account: "key", role: "value" });

export interface Member extends MemberRole {
  readonly email: string;
}

export interface Membership extends RoleInSale {
  readonly saleUuid: string;
}

/** The role of a person in a sale; undefined for one who is no member. */
export async function roleOf(
  query: Kysely<AuthSchema>,
  saleUuid: string,
  accountUuid: string,
): Promise<RoleInSale | undefined> {
  const row = await memberQuery(query)
    .where("member.sale", "=", bytesOfHex(saleUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return row && membershipOfRow(row);
}

/** Returns the memberships of a person in some sales, in no particular order. */
export async function readRoles(
  query: Kysely<AuthSchema>,
  accountUuid: string,
  saleUuids: readonly string[],
): Promise<readonly Membership[]> {
  const rows = await memberQuery(query)
    .where("account", "=", bytesOfHex(accountUuid))
    .where("member.sale", "in", saleUuids.map(bytesOfHex))
    .execute();
  return rows.map(membershipOfRow);
}

/** Memberships with the rules of their sales. */
function memberQuery(query: Kysely<AuthSchema>) {
  return query
    .selectFrom("member")
    .leftJoin("sale_access", "sale_access.sale", "member.sale")
    .select(["member.sale", "role", "passkeys_required"]);
}

function membershipOfRow({
  sale,
  role,
  passkeys_required,
}: Pick<MemberTable, "sale" | "role"> & Pick<SaleAccessTable, "passkeys_required">): Membership {
  return { saleUuid: uuidFromBytes(sale), role, passkeysRequired: Number(passkeys_required ?? 0) === 1 };
}

/** Returns the members of a sale, in no particular order. */
export async function readMembers(query: Kysely<AuthSchema>, saleUuid: string): Promise<readonly Member[]> {
  const rows = await query
    .selectFrom("member")
    .innerJoin("account", "account.account", "member.account")
    .select(["member.account", "email", "role"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .limit(MAX_MEMBERS)
    .execute();
  return rows.map(({ account, email, role }) => ({ accountUuid: uuidFromBytes(account), email, role }));
}

/**
 * Returns a page of a person's memberships, in the order of sale UUIDs.
 *
 * @param after the last sale UUID of the page before, hex; empty for the first page
 */
export async function readMemberships(
  query: Kysely<AuthSchema>,
  accountUuid: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly Membership[]> {
  const rows = await memberQuery(query)
    .where("account", "=", bytesOfHex(accountUuid))
    .where("member.sale", ">", bytesOfHex(after))
    .orderBy("member.sale")
    .limit(limit)
    .execute();
  return rows.map(membershipOfRow);
}

/** Stores the role of a member. The transaction must have locked the sale. */
export async function storeMember(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  saleUuid: string,
  { accountUuid, role }: MemberRole,
): Promise<void> {
  const row: MemberTable = { sale: bytesOfHex(saleUuid), account: bytesOfHex(accountUuid), role };
  await upsertRows(transaction, dialect, MEMBER_TARGET, [row]);
}

/** Removes a member. The transaction must have locked the sale. */
export async function deleteMember(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  accountUuid: string,
): Promise<void> {
  await transaction
    .deleteFrom("member")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}

/** Removes all members. The transaction must have locked the sale. */
export async function deleteMembers(transaction: Transaction<AuthSchema>, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("member").where("sale", "=", bytesOfHex(saleUuid)).execute();
}

/**
 * Removes an account, which the transaction has locked, from all sales.
 *
 * @throws ServiceError `failed_precondition` where a sale would be left without an owner
 */
export async function leaveAllSales(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  accountUuid: string,
): Promise<void> {
  const account = bytesOfHex(accountUuid);
  const owned = await transaction
    .selectFrom("member")
    .innerJoin("sale_access", "sale_access.sale", "member.sale")
    .select("member.sale")
    .where("account", "=", account)
    .where("role", "=", "owner")
    // Nothing can be done with a withdrawn sale, so it needs no owner.
    .where("withdrawn_at_ms", "is", null)
    .orderBy("member.sale")
    .execute();
  for (const { sale } of owned) {
    await lockSale(transaction, dialect, uuidFromBytes(sale));
    if (await hasOtherOwner(transaction, sale, account)) continue;
    throw new ServiceError("failed_precondition", `the account is the only owner of the sale ${uuidFromBytes(sale)}`);
  }
  await transaction.deleteFrom("member").where("account", "=", account).execute();
}

async function hasOtherOwner(
  transaction: Transaction<AuthSchema>,
  sale: Uint8Array,
  account: Uint8Array,
): Promise<boolean> {
  const owners = await transaction
    .selectFrom("member")
    .select("account")
    .where("sale", "=", Buffer.from(sale))
    .where("account", "!=", account)
    .where("role", "=", "owner")
    .limit(1)
    .execute();
  return owners.length > 0;
}
