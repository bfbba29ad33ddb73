import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthSchema, RecoveryTable } from "../base/schema.ts";
import { mailLanguage } from "../mail/texts/mail-texts.ts";
import type { Recovery } from "./recovery.ts";

/** Inserts a recovery whose first notice is due at once. The transaction must have locked the account. */
export async function insertRecovery(transaction: Transaction<AuthSchema>, recovery: Recovery): Promise<void> {
  await transaction
    .insertInto("recovery")
    .values({
      account: bytesOfHex(recovery.accountUuid),
      recovery: bytesOfHex(recovery.uuid),
      begun_at_ms: recovery.begunAtMs,
      ready_at_ms: recovery.readyAtMs,
      expires_at_ms: recovery.expiresAtMs,
      language: recovery.language,
      by_operator: recovery.byOperator ? 1 : 0,
      notices_sent: 0,
      notice_due_at_ms: recovery.begunAtMs,
    })
    .execute();
}

/** Returns the recovery of an account, in whatever state. */
export async function findRecovery(query: Kysely<AuthSchema>, accountUuid: string): Promise<Recovery | undefined> {
  const row = await query
    .selectFrom("recovery")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return row && recoveryOfRow(row);
}

/** Ends the recovery of an account, in whatever state. @returns whether this call has ended it */
export async function deleteRecovery(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  recoveryUuid: string,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("recovery")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("recovery", "=", bytesOfHex(recoveryUuid))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Uses a recovery up that can be completed now. One statement, so that of concurrent completions and stops one succeeds.
 *
 * @returns whether this call has used it up
 */
export async function takeReadyRecovery(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  recoveryUuid: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("recovery")
    .where("account", "=", bytesOfHex(accountUuid))
    .where("recovery", "=", bytesOfHex(recoveryUuid))
    .where("ready_at_ms", "<=", nowMs)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes the recovery of an account, if there is one. */
export async function deleteRecoveryOf(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("recovery").where("account", "=", bytesOfHex(accountUuid)).execute();
}

export function recoveryOfRow(row: RecoveryTable): Recovery {
  return {
    uuid: uuidFromBytes(row.recovery),
    accountUuid: uuidFromBytes(row.account),
    begunAtMs: BigInt(row.begun_at_ms),
    readyAtMs: BigInt(row.ready_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
    language: mailLanguage(row.language),
    byOperator: Number(row.by_operator ?? 0) === 1,
  };
}
