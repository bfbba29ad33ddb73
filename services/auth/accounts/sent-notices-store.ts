import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SENT_NOTICE_RETENTION_MS } from "../base/lifetimes.ts";
import type { AuthSchema } from "../base/schema.ts";

/** Returns when it was stored that a notice is sent; undefined for one that isn't. */
export async function noticeSentAtMs(query: Kysely<AuthSchema>, noticeUuid: string): Promise<bigint | undefined> {
  const row = await query
    .selectFrom("sent_notice")
    .select("sent_at_ms")
    .where("notice", "=", bytesOfHex(noticeUuid))
    .executeTakeFirst();
  return row && BigInt(row.sent_at_ms);
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

export async function deleteSentNotice(transaction: Transaction<AuthSchema>, noticeUuid: string): Promise<void> {
  await transaction.deleteFrom("sent_notice").where("notice", "=", bytesOfHex(noticeUuid)).execute();
}

export function expiredNotices(nowMs: bigint): ExpiredRows {
  return { table: "sent_notice", ageColumn: "sent_at_ms", cutoff: nowMs - SENT_NOTICE_RETENTION_MS };
}
