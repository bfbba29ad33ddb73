import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { CALLBACK_RETENTION_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/**
 * Notes that a callback is processed.
 *
 * @param webhookId which a repetition has, too
 * @returns false if it was processed before
 */
export async function noteCallback(
  transaction: Transaction<EntitiesSchema>,
  webhookId: string,
  nowMs: bigint,
): Promise<boolean> {
  const callback = createHash("sha256").update(webhookId).digest();
  const stored = await transaction
    .selectFrom("setup_callback")
    .select("received_at_ms")
    .where("callback", "=", callback)
    .executeTakeFirst();
  if (stored !== undefined) return false;
  await transaction.insertInto("setup_callback").values({ callback, received_at_ms: nowMs }).execute();
  return true;
}

export function expiredCallbacks(nowMs: bigint): ExpiredRows {
  return { table: "setup_callback", ageColumn: "received_at_ms", cutoff: nowMs - CALLBACK_RETENTION_MS };
}
