import { sql } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { LONGEST_WINDOW_MS } from "./rate-limit.ts";
import type { AuthDatabase } from "./schema.ts";

const KEYS = ["counter", "window_start_ms"];

/**
 * Takes a block of a rate limit's window.
 *
 * @param counter an HMAC of the limit's name and the key that it counts.
 * @returns the number that all processes had taken before.
 */
export async function takeBlock(
  database: AuthDatabase,
  counter: Buffer,
  windowStartMs: bigint,
  block: bigint,
): Promise<bigint> {
  const add = sql`insert into rate_window (counter, window_start_ms, taken) values (${counter}, ${windowStartMs}, ${block})
    ${sql.raw(database.dialect.addClause(KEYS, "taken"))}`;
  return database.write(async (transaction) => {
    await add.execute(transaction);
    const { taken } = await transaction
      .selectFrom("rate_window")
      .select("taken")
      .where("counter", "=", counter)
      .where("window_start_ms", "=", windowStartMs)
      .executeTakeFirstOrThrow();
    return BigInt(taken) - block;
  });
}

export function expiredRateWindows(nowMs: bigint): ExpiredRows {
  return { table: "rate_window", ageColumn: "window_start_ms", cutoff: nowMs - LONGEST_WINDOW_MS };
}
