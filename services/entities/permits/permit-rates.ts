import { sql } from "kysely";
import type { ExpiredRows } from "../../shared/db/expired-rows.ts";
import type { RateLimit } from "../../shared/rate-limits/rate-limit.ts";
import { SharedRateLimits } from "../../shared/rate-limits/shared-rate-limits.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { EntitiesDatabase } from "../schema/schema.ts";

const WINDOW_MS = 600_000n;

/** Limits of permits. An account may have several entities with tens of wallets, and one permit lasts as long as a window. */
export const PERMIT_LIMITS = {
  permit_account: { count: 600, windowMs: WINDOW_MS },
  permit_sale: { count: 600_000, windowMs: WINDOW_MS },
} as const satisfies Readonly<Record<string, RateLimit>>;

export type PermitLimitName = keyof typeof PERMIT_LIMITS;
export type PermitRates = Pick<SharedRateLimits<PermitLimitName>, "take">;

export interface PermitRatesOptions {
  readonly database: EntitiesDatabase;
  readonly clock: Clock;
  /** `DerivedKeys.index`. */
  readonly counterKey: Uint8Array;
}

/** Makes the rate limits of permits, which all processes share. */
export function permitRates({ database, clock, counterKey }: PermitRatesOptions): PermitRates {
  const takeBlock = (counter: Buffer, windowStartMs: bigint, block: bigint) =>
    takeRate(database, counter, windowStartMs, block);
  return new SharedRateLimits({ limits: PERMIT_LIMITS, takeBlock, clock, counterKey, enabled: true });
}

async function takeRate(
  database: EntitiesDatabase,
  counter: Buffer,
  windowStartMs: bigint,
  block: bigint,
): Promise<bigint> {
  const clause = sql.raw(database.dialect.addClause(["counter", "window_start_ms"], "taken"));
  const add = sql`insert into permit_rate (counter, window_start_ms, taken)
    values (${counter}, ${windowStartMs}, ${block}) ${clause}`;
  return database.write(async (transaction) => {
    await add.execute(transaction);
    const { taken } = await transaction
      .selectFrom("permit_rate")
      .select("taken")
      .where("counter", "=", counter)
      .where("window_start_ms", "=", windowStartMs)
      .executeTakeFirstOrThrow();
    return BigInt(taken) - block;
  });
}

export function expiredPermitRates(nowMs: bigint): ExpiredRows {
  return { table: "permit_rate", ageColumn: "window_start_ms", cutoff: nowMs - WINDOW_MS };
}
