import { randomUUID } from "node:crypto";
import type { Kysely, Selectable, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { NOTICE_RETENTION_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The account of mails to reviewers, who are known by their addresses: nobody's. */
export const REVIEWERS_ACCOUNT = "00000000-0000-0000-0000-000000000000";

/** A mail to the person of an entity, or to a reviewer, which auth sends. */
export type Notice = NoticeContent & {
  /** The entity to whose page the mail leads; undefined in mails that earlier versions have stored. */
  readonly entityUuid?: string;
};

type NoticeContent =
  | {
      readonly kind: "setup_decided";
      readonly label: string;
      readonly approved: boolean;
      readonly reason: string;
      readonly final: boolean;
      /** Whether the check has ended without a decision; undefined in mails that earlier versions have stored. */
      readonly unfinished?: boolean;
    }
  | {
      readonly kind: "reviews_wait";
      readonly email: string;
      readonly waiting: number;
      /** Milliseconds since 1970. */
      readonly sinceMs: number;
    }
  | { readonly kind: "review_question"; readonly label: string; readonly question: string }
  | {
      readonly kind: "approval_expiry";
      readonly label: string;
      /** Milliseconds since 1970. */
      readonly expiresAtMs: number;
      readonly expired: boolean;
    }
  | SaleAlertNotice;

/** Name of a mail that a person has asked for, about a sale. */
export type SaleAlertName = "out" | "at_margin" | "closes_in_day" | "closes_in_hour" | "settled";

/** A mail about a sale, which says neither an amount nor a wallet: auth knows the address. */
export interface SaleAlertNotice {
  readonly kind: "sale_alert";
  readonly alert: SaleAlertName;
  /** From which the token of the mail is made (`alertToken`). */
  readonly alertUuid: string;
  readonly saleUuid: string;
  readonly saleName: string;
  /** Milliseconds since 1970; undefined in a mail that isn't about the closing. */
  readonly closesAtMs?: number;
  readonly language: string;
  /** Milliseconds since 1970. A mail that auth takes later is dropped. */
  readonly untilMs: number;
}

/** A mail that auth hasn't taken yet. */
export interface PendingNotice {
  /** The UUID by which auth recognises a repetition. */
  readonly uuid: string;
  readonly accountUuid: string;
  readonly notice: Notice;
  readonly attempts: number;
  /** When it may be sent: milliseconds since 1970. Whoever moves it sends the mail. */
  readonly dueAtMs: bigint;
}

/** Stores a mail, in the transaction of the change that it is about. */
export async function storeNotice(
  transaction: Transaction<EntitiesSchema>,
  accountUuid: string,
  notice: Notice,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .insertInto("notice")
    .values({
      notice: bytesOfHex(randomUUID()),
      account: bytesOfHex(accountUuid),
      content: JSON.stringify(notice),
      attempts: 0,
      next_attempt_at_ms: nowMs,
      created_at_ms: nowMs,
      sale: notice.kind === "sale_alert" ? bytesOfHex(notice.saleUuid) : null,
    })
    .execute();
}

/** Returns the mails that may be sent now, but for those about sales, the longest due first. */
export async function readDueNotices(
  query: Kysely<EntitiesSchema>,
  nowMs: bigint,
  limit: number,
): Promise<readonly PendingNotice[]> {
  const rows = await dueNotices(query, nowMs).where("sale", "is", null).limit(limit).execute();
  return rows.map(pendingOfRow);
}

/**
 * Returns the mails about sales that may be sent now, of each sale equally many, and of one sale the longest due first: the
 * thousands of a sale that settles don't hold up that another one closes in an hour. What a sale leaves of its share is for those
 * with more: mails are dropped once they are late, so none of the limit may be wasted.
 */
export async function readDueSaleAlerts(
  query: Kysely<EntitiesSchema>,
  nowMs: bigint,
  limit: number,
): Promise<readonly PendingNotice[]> {
  const due = await query
    .selectFrom("notice")
    .select(["sale", ({ fn }) => fn.min("next_attempt_at_ms").as("longest"), ({ fn }) => fn.countAll().as("mails")])
    .where("sale", "is not", null)
    .where("next_attempt_at_ms", "<=", nowMs)
    .groupBy("sale")
    .orderBy("longest")
    .limit(limit)
    .execute();
  const fewestFirst = due.toSorted((one, other) => Number(one.mails) - Number(other.mails));
  const alerts: PendingNotice[] = [];
  for (const [index, { sale }] of fewestFirst.entries()) {
    const share = Math.floor((limit - alerts.length) / (fewestFirst.length - index));
    const rows = await dueNotices(query, nowMs).where("sale", "=", sale).limit(share).execute();
    alerts.push(...rows.map(pendingOfRow));
  }
  return alerts;
}

function dueNotices(query: Kysely<EntitiesSchema>, nowMs: bigint) {
  return query.selectFrom("notice").selectAll().where("next_attempt_at_ms", "<=", nowMs).orderBy("next_attempt_at_ms");
}

function pendingOfRow(row: Selectable<EntitiesSchema["notice"]>): PendingNotice {
  return {
    uuid: uuidFromBytes(row.notice),
    accountUuid: uuidFromBytes(row.account),
    notice: JSON.parse(row.content) as Notice,
    attempts: Number(row.attempts),
    dueAtMs: BigInt(row.next_attempt_at_ms),
  };
}

/** Takes a mail to send it, until `untilMs`: then it is sent again unless it was deleted. @returns whether no other process has taken it */
export async function claimNotice(
  transaction: Transaction<EntitiesSchema>,
  { uuid, dueAtMs }: PendingNotice,
  untilMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("notice")
    .set({ next_attempt_at_ms: untilMs })
    .where("notice", "=", bytesOfHex(uuid))
    .where("next_attempt_at_ms", "=", dueAtMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function postponeNotice(
  transaction: Transaction<EntitiesSchema>,
  { uuid, attempts }: PendingNotice,
  nextAttemptAtMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("notice")
    .set({ attempts: attempts + 1, next_attempt_at_ms: nextAttemptAtMs })
    .where("notice", "=", bytesOfHex(uuid))
    .execute();
}

export async function deleteNotice(transaction: Transaction<EntitiesSchema>, uuid: string): Promise<void> {
  await transaction.deleteFrom("notice").where("notice", "=", bytesOfHex(uuid)).execute();
}

/** The mails that wait for auth. */
export interface NoticeBacklog {
  readonly notices: number;
  /** When the oldest was stored: milliseconds since 1970; undefined if none waits. */
  readonly oldestMs: bigint | undefined;
}

export async function readNoticeBacklog(query: Kysely<EntitiesSchema>): Promise<NoticeBacklog> {
  const row = await query
    .selectFrom("notice")
    .select(({ fn }) => [
      fn.countAll<bigint | number | string>().as("notices"),
      fn.min<bigint | number | string | null>("created_at_ms").as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  return { notices: Number(row.notices), oldestMs: row.oldest === null ? undefined : BigInt(row.oldest) };
}

/** Deletes the mails to a deleted account. */
export async function deleteNoticesOf(transaction: Transaction<EntitiesSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("notice").where("account", "=", bytesOfHex(accountUuid)).execute();
}

/** Deletes the mails to an account about a sale. @param isEnded whether a mail of that name is to be deleted */
export async function deleteSaleAlerts(
  transaction: Transaction<EntitiesSchema>,
  accountUuid: string,
  saleUuid: string,
  isEnded: (alert: SaleAlertName) => boolean,
): Promise<void> {
  const rows = await transaction
    .selectFrom("notice")
    .select(["notice", "content"])
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
  for (const { notice, content } of rows) {
    const mail = JSON.parse(content) as Notice;
    if (mail.kind !== "sale_alert" || mail.saleUuid !== saleUuid || !isEnded(mail.alert)) continue;
    await transaction.deleteFrom("notice").where("notice", "=", notice).execute();
  }
}

export function expiredNotices(nowMs: bigint): ExpiredRows {
  return { table: "notice", ageColumn: "created_at_ms", cutoff: nowMs - NOTICE_RETENTION_MS };
}
