import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { exponentialMs } from "../../../common/platform/concurrency/backoff.ts";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import type { EntitiesContext } from "../base/context.ts";
import { NOTICE_BACKOFF } from "../base/lifetimes.ts";
import type { Notice } from "./notices-store.ts";
import { deleteNotice, type PendingNotice, postponeNotice, readDueNotices } from "./notices-store.ts";

const BATCH = 100;

type Dependencies = Pick<EntitiesContext, "database" | "clock" | "accounts">;

/** Lets auth send the mails that are due. One that auth doesn't take is tried again, less and less often. */
export async function sendNotices(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  const due = await database.read((query) => readDueNotices(query, clock(), BATCH));
  await eachApart(due, (pending) => sendNotice(dependencies, pending, signal), signal);
}

async function sendNotice(
  { database, clock, accounts }: Dependencies,
  pending: PendingNotice,
  signal: AbortSignal,
): Promise<void> {
  const { uuid: noticeUuid } = pending;
  try {
    await send(accounts, pending, signal);
  } catch (error) {
    const nextAttemptAtMs = clock() + BigInt(exponentialMs(pending.attempts + 1, NOTICE_BACKOFF));
    await database.write((transaction) => postponeNotice(transaction, pending, nextAttemptAtMs));
    throw error;
  }
  await database.write((transaction) => deleteNotice(transaction, noticeUuid));
}

async function send(
  accounts: Dependencies["accounts"],
  { uuid: noticeUuid, accountUuid, notice }: PendingNotice,
  signal: AbortSignal,
): Promise<void> {
  if (notice.kind === "reviews_wait") {
    const { email, waiting, sinceMs } = notice;
    await accounts.notifyReviewer({ noticeUuid, email, waiting, waitingSince: timestampFromMs(sinceMs) }, { signal });
    return;
  }
  const { entityUuid = "" } = notice;
  await accounts.notifyAccount({ accountUuid, noticeUuid, notice: noticeMessage(notice), entityUuid }, { signal });
}

function noticeMessage(notice: Exclude<Notice, { readonly kind: "reviews_wait" }>) {
  if (notice.kind === "setup_decided") {
    const { label: entityLabel, approved, reason, final, unfinished = false } = notice;
    return { case: "setupDecided", value: { entityLabel, approved, reason, final, unfinished } } as const;
  }
  if (notice.kind === "review_question") {
    const { label: entityLabel, question } = notice;
    return { case: "reviewQuestion", value: { entityLabel, question } } as const;
  }
  const { label: entityLabel, expiresAtMs, expired } = notice;
  return { case: "approvalExpiry", value: { entityLabel, expiresAt: timestampFromMs(expiresAtMs), expired } } as const;
}
