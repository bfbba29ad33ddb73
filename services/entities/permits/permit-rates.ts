import { CompiledQuery } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import { selectByKeys } from "../../../common/platform/db/sql/by-keys.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { RateLimit } from "../../../common/platform/rate-limits/rate-limit.ts";
import { SharedRateLimits } from "../../../common/platform/rate-limits/shared-rate-limits.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { PermitLimitName, PermitRateLimiter } from "../base/context.ts";
import { PERMIT_RATE_WINDOW_MS } from "../base/lifetimes.ts";
import type { PermitRateTable } from "../base/permit-tables.ts";
import type { EntitiesDatabase } from "../base/schema.ts";

const PERMIT_RATE = tableTarget<PermitRateTable>("permit_rate", {
  counter: "key",
  window_start_ms: "key",
  taken: "value",
});

/** Limits of permits. An account may have several entities with tens of wallets, and one permit lasts as long as a window. */
export const PERMIT_LIMITS = {
  permit_account: { count: 600, windowMs: PERMIT_RATE_WINDOW_MS },
  permit_sale: { count: 600_000, windowMs: PERMIT_RATE_WINDOW_MS },
} as const satisfies Readonly<Record<PermitLimitName, RateLimit>>;

export interface PermitRatesOptions {
  readonly database: EntitiesDatabase;
  readonly clock: Clock;
  /** `DerivedKeys.index`. */
  readonly counterKey: Uint8Array;
}

/**
 * Makes the rate limits of permits, which all processes share. Blocks that are needed at the same moment are taken in one
 * transaction: most people ask for one permit, so that else each permit would take another commit.
 */
export function permitRates({ database, clock, counterKey }: PermitRatesOptions): PermitRateLimiter {
  const batcher = new Batcher((takes: readonly Take[]) => takeRates(database, takes));
  const takeBlock = (counter: Buffer, windowStartMs: bigint, block: bigint) =>
    batcher.run({ counter, windowStartMs, block });
  return new SharedRateLimits({ limits: PERMIT_LIMITS, takeBlock, clock, counterKey, enabled: true });
}

/** A block that is taken from a window. */
interface Take {
  readonly counter: Buffer;
  readonly windowStartMs: bigint;
  readonly block: bigint;
}

/** @returns the numbers that had been taken before each of the blocks */
async function takeRates(database: EntitiesDatabase, takes: readonly Take[]): Promise<readonly bigint[]> {
  const { dialect } = database;
  // All processes lock the rows in this order.
  const ordered = takes.toSorted((a, b) => Buffer.compare(a.counter, b.counter));
  const statements = [addStatement(dialect, ordered), readStatement(dialect, ordered)] as const;
  const [, { rows }] = await database.write((transaction) => executeAndCommit(transaction, dialect, statements));
  const taken = new Map(rows.map((row) => [keyOf(row.counter, row.window_start_ms), BigInt(row.taken)]));
  // The row of a window has the number after its last take, from which the numbers before follow backwards.
  const takenBefore = takes.toReversed().map(({ counter, windowStartMs, block }) => {
    const key = keyOf(counter, windowStartMs);
    const left = (taken.get(key) ?? 0n) - block;
    taken.set(key, left);
    return left;
  });
  return takenBefore.toReversed();
}

function keyOf(counter: Uint8Array, windowStartMs: bigint | string): string {
  return `${hexOfBytes(counter)} ${windowStartMs}`;
}

function addStatement(dialect: SqlDialect, takes: readonly Take[]): CompiledQuery {
  const bound = new BoundValues(dialect);
  const rows = bound.rows(takes.map(({ counter, windowStartMs, block }) => [counter, windowStartMs, block]));
  const add = dialect.addClause(["counter", "window_start_ms"], "taken");
  const text = `insert into permit_rate (counter, window_start_ms, taken) values ${rows} ${add}`;
  return CompiledQuery.raw(text, bound.parameters);
}

function readStatement(dialect: SqlDialect, takes: readonly Take[]): CompiledQuery<PermitRateTable> {
  const counters = takes.map(({ counter }) => counter);
  return selectByKeys(dialect, PERMIT_RATE, { where: {}, key: "counter", columns: PERMIT_RATE.columns }, counters);
}

export function expiredPermitRates(nowMs: bigint): ExpiredRows {
  return { table: "permit_rate", ageColumn: "window_start_ms", cutoff: nowMs - PERMIT_RATE_WINDOW_MS };
}
