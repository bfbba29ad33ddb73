import { sql } from "kysely";
import { deleteExpiredRows, type ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { RESOLUTIONS_S } from "./domain/history-windows.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** The retention of rows, in milliseconds. */
export interface Retention {
  /** Applied requests: at least 24 hours, in which a request may be repeated under its ID. */
  readonly requestsMillis: bigint;
  readonly outboxMillis: bigint;
  /** Events of webhooks, and their deliveries. */
  readonly webhooksMillis: bigint;
  /** One retention for each of `RESOLUTIONS_S`, from fine to coarse. */
  readonly historyMillis: readonly [bigint, bigint, bigint];
}

/** Deletes rows that are older than their retention. */
export async function deleteExpired(
  database: CommitmentsDatabase,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  await deleteExpiredRows(database, agedRows(retention, await database.nowMillis()), signal);
}

function agedRows(retention: Retention, nowMillis: bigint): ExpiredRows[] {
  const { requestsMillis, outboxMillis, webhooksMillis, historyMillis } = retention;
  return [
    { table: "apply_request", ageColumn: "created_at_ms", cutoff: nowMillis - requestsMillis },
    { table: "outbox", ageColumn: "created_at_ms", cutoff: nowMillis - outboxMillis },
    { table: "webhook_delivery", ageColumn: "event_at_ms", cutoff: nowMillis - webhooksMillis },
    { table: "webhook_event", ageColumn: "created_at_ms", cutoff: nowMillis - webhooksMillis },
    ...RESOLUTIONS_S.map((resolution, index) => ({
      table: "history",
      ageColumn: "bucket_s",
      kind: sql`resolution_s = ${resolution}`,
      cutoff: (nowMillis - (historyMillis[index] ?? 0n)) / 1000n,
    })),
  ];
}
