import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthSchema } from "../base/schema.ts";
import { MAX_MEMBERS } from "./membership.ts";

/** Whether a sale requires of its owners and editors that they signed in with a passkey. */
export async function requiresPasskeys(query: Kysely<AuthSchema>, saleUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("sale_access")
    .select("passkeys_required")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return Number(row?.passkeys_required ?? 0) === 1;
}

/** Stores whether a sale requires passkeys. The transaction must have locked the sale. */
export async function storePasskeyRule(
  transaction: Transaction<AuthSchema>,
  saleUuid: string,
  required: boolean,
): Promise<void> {
  await transaction
    .updateTable("sale_access")
    .set({ passkeys_required: required ? 1 : 0 })
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
}

/** Returns sales that require a passkey of a person, who is an owner or an editor of them. */
export async function readSalesRequiringPasskeys(
  query: Kysely<AuthSchema>,
  accountUuid: string,
): Promise<readonly string[]> {
  const rows = await query
    .selectFrom("member")
    .innerJoin("sale_access", "sale_access.sale", "member.sale")
    .select("member.sale")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("role", "in", ["owner", "editor"])
    .where("passkeys_required", "=", 1)
    .where("withdrawn_at_ms", "is", null)
    .orderBy("member.sale")
    .limit(MAX_MEMBERS)
    .execute();
  return rows.map(({ sale }) => uuidFromBytes(sale));
}

/** Returns the members of a sale who have a passkey, by account UUID. */
export async function readPasskeyHolders(query: Kysely<AuthSchema>, saleUuid: string): Promise<ReadonlySet<string>> {
  const rows = await query
    .selectFrom("member")
    .innerJoin("passkey", "passkey.account", "member.account")
    .select("member.account")
    .distinct()
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
  return new Set(rows.map(({ account }) => uuidFromBytes(account)));
}
