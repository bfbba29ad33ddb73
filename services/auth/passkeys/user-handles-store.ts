import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";

const USER_HANDLE_BYTES = 32;

/**
 * Returns the bytes by which passkeys name an account, and makes them where there are none. They are random, so that an
 * authenticator, which shows them to whoever holds it, reveals no UUID of ours (WebAuthn section 14.6.1).
 *
 * @returns base64url; undefined for an account that was deleted
 */
export async function ensureUserHandle(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
): Promise<string | undefined> {
  const account = bytesOfHex(accountUuid);
  await transaction
    .updateTable("account")
    .set({ user_handle: randomBytes(USER_HANDLE_BYTES) })
    .where("account", "=", account)
    .where("user_handle", "is", null)
    .execute();
  const row = await transaction
    .selectFrom("account")
    .select("user_handle")
    .where("account", "=", account)
    .executeTakeFirst();
  return row?.user_handle ? Buffer.from(row.user_handle).toString("base64url") : undefined;
}
