import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { exponentialMs } from "../../../common/platform/concurrency/backoff.ts";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import { SaleAlert } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { alertToken } from "../base/alert-token.ts";
import type { EntitiesContext } from "../base/context.ts";
import { NOTICE_BACKOFF, NOTICE_CLAIM_MS } from "../base/lifetimes.ts";
import {
  claimNotice,
  deleteNotice,
  type Notice,
  type PendingNotice,
  postponeNotice,
  readDueNotices,
  readDueSaleAlerts,
  type SaleAlertName,
  type SaleAlertNotice,
} from "./notices-store.ts";

/**
 * Mails of a queue that one run of a process sends. There is a run every five seconds, so that ten thousand mails about a sale take one
 * process at least some ten minutes, a third of the time for which they wait: mail servers refuse whoever sends them in a burst.
 */
const BATCH = 100;
/** Mails about sales under way at once. Auth sends no more of them at once either. */
const ALERTS_AT_ONCE = 3;

type Dependencies = Pick<EntitiesContext, "database" | "clock" | "accounts" | "derivedKeys">;

/** Lets auth send the mails that are due, but for those about sales. One that auth doesn't take is tried again, less and less often. */
export async function sendNotices(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  const due = await database.read((query) => readDueNotices(query, clock(), BATCH));
  await eachApart(due, (pending) => sendNotice(dependencies, pending, signal), signal);
}

/** Lets auth send the mails about sales that are due. They are apart from others, which no thousands of them hold up. */
export async function sendSaleAlerts(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  const due = await database.read((query) => readDueSaleAlerts(query, clock(), BATCH));
  await eachApart(due, (pending) => sendNotice(dependencies, pending, signal), signal, ALERTS_AT_ONCE);
}

async function sendNotice(dependencies: Dependencies, pending: PendingNotice, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  const { uuid: noticeUuid, notice } = pending;
  const isClaimed = await database.write((transaction) => claimNotice(transaction, pending, clock() + NOTICE_CLAIM_MS));
  if (!isClaimed) return;
  const isLate = notice.kind === "sale_alert" && clock() > notice.untilMs;
  try {
    if (!isLate) await send(dependencies, pending, signal);
  } catch (error) {
    const nextAttemptAtMs = clock() + BigInt(exponentialMs(pending.attempts + 1, NOTICE_BACKOFF));
    await database.write((transaction) => postponeNotice(transaction, pending, nextAttemptAtMs));
    throw error;
  }
  await database.write((transaction) => deleteNotice(transaction, noticeUuid));
}

async function send(
  { accounts, derivedKeys }: Dependencies,
  { uuid: noticeUuid, accountUuid, notice }: PendingNotice,
  signal: AbortSignal,
): Promise<void> {
  if (notice.kind === "reviews_wait") {
    const { email, waiting, sinceMs } = notice;
    await accounts.notifyReviewer({ noticeUuid, email, waiting, waitingSince: timestampFromMs(sinceMs) }, { signal });
    return;
  }
  const { entityUuid = "" } = notice;
  const message = notice.kind === "sale_alert" ? alertMessage(derivedKeys, notice) : noticeMessage(notice);
  await accounts.notifyAccount({ accountUuid, noticeUuid, notice: message, entityUuid }, { signal });
}

const ALERTS: Readonly<Record<SaleAlertName, SaleAlert>> = {
  out: SaleAlert.OUT,
  at_margin: SaleAlert.AT_MARGIN,
  closes_in_day: SaleAlert.CLOSES_IN_DAY,
  closes_in_hour: SaleAlert.CLOSES_IN_HOUR,
  settled: SaleAlert.SETTLED,
};

function alertMessage(keys: Dependencies["derivedKeys"], notice: SaleAlertNotice) {
  const { alert, saleName, closesAtMs, alertUuid, language } = notice;
  const closesAt = closesAtMs === undefined ? {} : { closesAt: timestampFromMs(closesAtMs) };
  const value = { alert: ALERTS[alert], saleName, stopToken: alertToken(keys, alertUuid), language, ...closesAt };
  return { case: "saleAlert", value } as const;
}

function noticeMessage(notice: Exclude<Notice, { readonly kind: "reviews_wait" | "sale_alert" }>) {
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
