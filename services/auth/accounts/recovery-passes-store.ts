import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { RECOVERY_PASS_LIFETIME_MS } from "../base/lifetimes.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";

/** The proof of a correct code, for an account to which a code alone doesn't sign in. */
export interface RecoveryPass {
  readonly accountUuid: string;
  /** The address of the account. */
  readonly email: string;
  readonly createdAtMs: bigint;
}

/** Stores a pass. @param token a new secret, for the browser */
export async function insertPass(
  transaction: Transaction<AuthSchema>,
  token: string,
  accountUuid: string,
  nowMs: bigint,
): Promise<void> {
  const row = {
    token: opaqueTokenHash(token),
    account: bytesOfHex(accountUuid),
    created_at_ms: nowMs,
    expires_at_ms: nowMs + RECOVERY_PASS_LIFETIME_MS,
  };
  await transaction.insertInto("recovery_pass").values(row).execute();
}

/** Returns a pass that hasn't expired. That of a deleted account isn't found. */
export async function findPass(
  query: Kysely<AuthSchema>,
  token: string,
  nowMs: bigint,
): Promise<RecoveryPass | undefined> {
  if (token === "") return undefined;
  const row = await query
    .selectFrom("recovery_pass")
    .innerJoin("account", "account.account", "recovery_pass.account")
    .select(["recovery_pass.account", "recovery_pass.created_at_ms", "account.email"])
    .where("token", "=", opaqueTokenHash(token))
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { accountUuid: uuidFromBytes(row.account), email: row.email, createdAtMs: BigInt(row.created_at_ms) };
}

/** Deletes the passes of an account. */
export async function deletePasses(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("recovery_pass").where("account", "=", bytesOfHex(accountUuid)).execute();
}

export function expiredPasses(nowMs: bigint): ExpiredRows {
  return { table: "recovery_pass", ageColumn: "expires_at_ms", cutoff: nowMs };
}
