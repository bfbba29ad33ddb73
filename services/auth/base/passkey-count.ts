import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "./schema.ts";

/** Returns the number of passkeys of an account. In a transaction that changes it, lock the account first. */
export async function countPasskeys(query: Kysely<AuthSchema>, accountUuid: string): Promise<number> {
  const { count } = await query
    .selectFrom("passkey")
    .select((expression) => expression.fn.countAll<bigint | number | string>().as("count"))
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirstOrThrow();
  return Number(count);
}
