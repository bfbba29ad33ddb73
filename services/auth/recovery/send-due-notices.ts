import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import {
  claimNotice,
  deleteRecovery,
  type PendingNotice,
  readDueNotices,
  storeSentNotice,
} from "./recoveries-store.ts";
import { dueNotice, type RecoveryNotice } from "./recovery.ts";
import { recoveryNotice } from "./recovery-notice.ts";

const BATCH = 100;
/** The time after which a notice that couldn't be mailed, or whose process ended meanwhile, is tried again. */
const RETRY_AFTER_MS = 60_000n;

/**
 * Mails the notices of recoveries that are due, and ends recoveries that have expired. A notice is mailed once, unless the
 * process ends between the mail and its row: then it is mailed again, which is better than never.
 *
 * @throws as `eachApart`
 */
export async function sendDueNotices(context: AuthContext, signal: AbortSignal): Promise<void> {
  const { database, clock } = context;
  const due = await database.read((query) => readDueNotices(query, clock(), BATCH));
  await eachApart(due, (pending) => sendNotice(context, pending), signal);
}

async function sendNotice(context: AuthContext, pending: PendingNotice): Promise<void> {
  const { database, clock, mailer, issuer } = context;
  const nowMs = clock();
  const notice = dueNotice(pending.recovery, pending.sent, nowMs);
  if (notice === undefined) return;
  if (!(await database.write((transaction) => claimNotice(transaction, pending, nowMs + RETRY_AFTER_MS)))) return;
  await mailer.send({ ...recoveryNotice(notice, pending.recovery, issuer), to: pending.email });
  await storeSent(context, pending, notice, nowMs);
}

async function storeSent(
  { database }: AuthContext,
  { recovery }: PendingNotice,
  notice: RecoveryNotice,
  nowMs: bigint,
): Promise<void> {
  const { accountUuid, uuid } = recovery;
  await database.write(async (transaction) => {
    if (notice !== "expired") return storeSentNotice(transaction, recovery, notice);
    if (!(await deleteRecovery(transaction, accountUuid, uuid))) return;
    const event = { event: "recovery.expired", accountUuid, details: { recovery: uuid } } as const;
    await recordEvent(transaction, event, nowMs);
  });
}
