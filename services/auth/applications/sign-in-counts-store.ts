import { type Kysely, sql } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { type CountedRows, HOUR_MS, type HourCount } from "../../../common/platform/db/hour-counts.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { firstEventId } from "../audit/audit-store.ts";
import { SIGN_IN_COUNT_DAYS } from "../base/lifetimes.ts";
import type { AuthSchema } from "../base/schema.ts";

const RETENTION_MS = (SIGN_IN_COUNT_DAYS + 1n) * 24n * HOUR_MS;

/** The sign-ins of a sale's users: exchanges of a code for tokens. They are counted in the audit table, while it has them. */
export const SIGN_INS: CountedRows<AuthSchema> = { table: "sign_in_hour", count };

async function count(query: Kysely<AuthSchema>, saleUuid: string, fromMs: bigint): Promise<readonly HourCount[]> {
  const hour = sql<bigint | string>`at_ms - at_ms % ${sql.lit(Number(HOUR_MS))}`;
  const rows = await query
    .selectFrom("audit")
    .select(({ fn }) => [hour.as("hour"), fn.countAll<bigint | number | string>().as("count")])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("event", "=", "tokens.issued")
    .where("event_id", ">=", firstEventId(fromMs))
    .groupBy(hour)
    .orderBy("hour")
    .execute();
  return rows.map((row) => ({ hourMs: BigInt(row.hour), count: BigInt(row.count) }));
}

export function expiredSignInHours(nowMs: bigint): ExpiredRows {
  return { table: "sign_in_hour", ageColumn: "hour_ms", cutoff: nowMs - RETENTION_MS };
}
