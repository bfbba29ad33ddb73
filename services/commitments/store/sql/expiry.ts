import { sql } from "kysely";
import { deleteExpiredRows, type ExpiredRows } from "../../../shared/db/expired-rows.ts";
import { RESOLUTIONS_S } from "./history.ts";
import type { CommitmentsDatabase } from "./schema.ts";

/** How long rows are kept, in milliseconds. */
export interface Retention {
  /** At least 24 hours: that long a request ID is safe to repeat. */
  readonly requestsMillis: bigint;
  readonly outboxMillis: bigint;
  /** For each of `RESOLUTIONS_S`, from fine to coarse. */
  readonly historyMillis: readonly [bigint, bigint, bigint];
}

/** Deletes what is older than its retention. */
export async function deleteExpired(
  database: CommitmentsDatabase,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  await deleteExpiredRows(database, agedRows(retention, await database.nowMillis()), signal);
}

function agedRows({ requestsMillis, outboxMillis, historyMillis }: Retention, nowMillis: bigint): ExpiredRows[] {
  return [
    { table: "apply_request", ageColumn: "created_at_ms", cutoff: nowMillis - requestsMillis },
    { table: "outbox", ageColumn: "created_at_ms", cutoff: nowMillis - outboxMillis },
    ...RESOLUTIONS_S.map((resolution, index) => ({
      table: "history",
      ageColumn: "bucket_s",
      kind: sql`resolution_s = ${resolution}`,
      cutoff: (nowMillis - (historyMillis[index] ?? 0n)) / 1000n,
    })),
  ];
}
