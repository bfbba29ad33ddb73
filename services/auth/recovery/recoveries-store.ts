import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthSchema, RecoveryTable } from "../base/schema.ts";
import { mailLanguage } from "../mail/texts/mail-texts.ts";
import { afterNotice, type Recovery, type RecoveryNotice } from "./recovery.ts";

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

/** A recovery with a notice that may be due. */
export interface PendingNotice {
  readonly recovery: Recovery;
  /** The address of the account. */
  readonly email: string;
  /** The number of notices that were mailed or skipped. */
  readonly sent: number;
  readonly dueAtMs: bigint;
}

/** Returns recoveries whose next notice is due, the longest due first. */
export async function readDueNotices(
  query: Kysely<AuthSchema>,
  nowMs: bigint,
  limit: number,
): Promise<readonly PendingNotice[]> {
  const rows = await query
    .selectFrom("recovery")
    .innerJoin("account", "account.account", "recovery.account")
    .selectAll("recovery")
    .select("account.email")
    .where("notice_due_at_ms", "<=", nowMs)
    .orderBy("notice_due_at_ms")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    recovery: recoveryOfRow(row),
    email: row.email,
    sent: Number(row.notices_sent),
    dueAtMs: BigInt(row.notice_due_at_ms),
  }));
}

/** Takes a notice, so that no other process mails it until then. @returns false where another one has taken it */
export async function claimNotice(
  transaction: Transaction<AuthSchema>,
  { recovery, sent, dueAtMs }: PendingNotice,
  untilMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("recovery")
    .set({ notice_due_at_ms: untilMs })
    .where("account", "=", bytesOfHex(recovery.accountUuid))
    .where("recovery", "=", bytesOfHex(recovery.uuid))
    .where("notices_sent", "=", sent)
    .where("notice_due_at_ms", "=", dueAtMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores that a notice was mailed. */
export async function storeSentNotice(
  transaction: Transaction<AuthSchema>,
  recovery: Recovery,
  notice: RecoveryNotice,
): Promise<void> {
  const { sent, dueAtMs } = afterNotice(recovery, notice);
  await transaction
    .updateTable("recovery")
    .set({ notices_sent: sent, notice_due_at_ms: dueAtMs })
    .where("account", "=", bytesOfHex(recovery.accountUuid))
    .where("recovery", "=", bytesOfHex(recovery.uuid))
    .execute();
}
