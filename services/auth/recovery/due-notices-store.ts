import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";
import { recoveryOfRow } from "./recoveries-store.ts";
import { afterNotice, type Recovery, type RecoveryNotice } from "./recovery.ts";

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
