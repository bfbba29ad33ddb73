import type { EntitiesContext } from "../base/context.ts";
import { REVIEW_MAIL_GAP_MS, REVIEW_MAIL_MS } from "../base/lifetimes.ts";
import { deleteNoticesOf, REVIEWERS_ACCOUNT, storeNotice } from "../notices/notices-store.ts";
import { type ReviewQueue, readReviewQueue, storeMailed } from "./review-queue-store.ts";

type Dependencies = Pick<EntitiesContext, "database" | "clock" | "identity">;

/**
 * Whether the reviewers are to be mailed now: a day after the last mail, or at once for the first that waits in a queue that was
 * empty. The queue was empty when the longest waiting one came if nobody was decided about since: whoever waited then has left since.
 */
export function isMailDue({ oldestMs, decidedAtMs, mailedAtMs }: ReviewQueue, nowMs: bigint): boolean {
  if (oldestMs === undefined) return false;
  if (mailedAtMs === undefined || nowMs >= mailedAtMs + REVIEW_MAIL_MS) return true;
  const wasEmpty = oldestMs > mailedAtMs && (decidedAtMs === undefined || decidedAtMs <= oldestMs);
  return wasEmpty && nowMs >= mailedAtMs + REVIEW_MAIL_GAP_MS;
}

/**
 * Stores the mails to the reviewers about how many entities wait, when they are due: once, whichever process comes first and
 * whenever it ends. Mails that auth hasn't taken since the last time are replaced.
 */
export async function mailReviewers({ database, clock, identity }: Dependencies): Promise<void> {
  if (identity.provider !== "review" || identity.reviewers.size === 0) return;
  const nowMs = clock();
  const queue = await database.read(readReviewQueue);
  if (!isMailDue(queue, nowMs)) return;
  const sinceMs = Number(queue.oldestMs);
  try {
    await database.write(async (transaction) => {
      if (!(await storeMailed(transaction, queue.mailedAtMs, nowMs))) return;
      await deleteNoticesOf(transaction, REVIEWERS_ACCOUNT);
      for (const email of identity.reviewers) {
        const notice = { kind: "reviews_wait", email, waiting: queue.waiting, sinceMs } as const;
        await storeNotice(transaction, REVIEWERS_ACCOUNT, notice, nowMs);
      }
    });
  } catch (error) {
    // Another process has mailed them first.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}
