import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SENT_NOTICE_RETENTION_MS } from "../base/lifetimes.ts";
import type { AuthSchema } from "../base/schema.ts";

/** Whether a notice was sent already. */
export async function isNoticeSent(query: Kysely<AuthSchema>, noticeUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("sent_notice")
    .select("sent_at_ms")
    .where("notice", "=", bytesOfHex(noticeUuid))
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws an error for which `isDuplicateKey` is true if it is stored already */
export async function insertSentNotice(
  transaction: Transaction<AuthSchema>,
  noticeUuid: string,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .insertInto("sent_notice")
    .values({ notice: bytesOfHex(noticeUuid), sent_at_ms: nowMs })
    .execute();
}

export function expiredNotices(nowMs: bigint): ExpiredRows {
  return { table: "sent_notice", ageColumn: "sent_at_ms", cutoff: nowMs - SENT_NOTICE_RETENTION_MS };
}
