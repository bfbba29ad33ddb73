import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";

/** Whether the owner of an account lets nobody sign in without a passkey. */
export async function requiresPasskey(query: Kysely<AuthSchema>, accountUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("account")
    .select("passkey_required")
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return Number(row?.passkey_required ?? 0) === 1;
}

/** Stores whether an account requires a passkey. The transaction must have locked the account. */
export async function storePasskeyRequirement(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  required: boolean,
): Promise<void> {
  await transaction
    .updateTable("account")
    .set({ passkey_required: required ? 1 : 0 })
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}
