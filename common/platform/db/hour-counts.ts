import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bytesOfHex } from "../encoding/hex.ts";
import { uuidFromBytes } from "../encoding/uuid.ts";
import type { Database } from "./database.ts";
import type { SqlDialect } from "./sql/dialect.ts";
import { createTable } from "./sql/table-migrations.ts";

/**
 * The number of rows of a group in one hour. The last row of a group says up to which hour its rows are counted. Existing tables
 * call the group's column `sale`.
 */
export interface HourCountTable {
  sale: Uint8Array;
  /** The beginning of the hour: milliseconds since 1970. */
  hour_ms: bigint | string;
  counted: bigint | string;
}

/** The rows of an hour. */
export interface HourCount {
  /** The beginning of the hour: milliseconds since 1970. */
  readonly hourMs: bigint;
  readonly count: bigint;
}

/** The rows of a group. */
export interface HourCounts {
  /** Hours with at least one row, the earliest first. */
  readonly hours: readonly HourCount[];
  /** The number of all rows that are counted, also before these hours. */
  readonly total: bigint;
}

/** Rows that are counted by hour: rows of one kind, each of one group and with a time. */
export interface CountedRows<Schema> {
  /** A table of `hourCountTable`. */
  readonly table: string;
  /** Counts a group's rows since a full hour, by hour: hours with at least one row, the earliest first. */
  count(query: Kysely<Schema>, groupUuid: string, fromMs: bigint): Promise<readonly HourCount[]>;
}

/** Times in milliseconds since 1970. */
export interface CountedTimes {
  readonly nowMs: bigint;
  /** Older rows aren't counted where none of their group were counted before. */
  readonly firstMs: bigint;
  /** The hours that are returned begin with that of this time. */
  readonly sinceMs: bigint;
}

export const HOUR_MS = 3_600_000n;
/** The longest time after which a row may still be stored with an earlier time: a long transaction, or another clock. */
const LATE_MS = HOUR_MS;
/** Hours that one statement stores: each takes three of the parameters that a statement may have. */
const MAX_KEPT_TOGETHER = 500;

type Count = bigint | number | string;

/** A migration that creates a table for counts. */
export function hourCountTable(dialect: SqlDialect, name: string): Migration {
  const columns = { sale: dialect.columnTypes.binary(16), hour_ms: "bigint", counted: "bigint" } as const;
  return createTable(dialect, name, { columns, key: ["sale", "hour_ms"] });
}

/** Returns the full hour of a time: milliseconds since 1970. */
export function hourOf(ms: bigint): bigint {
  return ms - (ms % HOUR_MS);
}

/**
 * Counts the rows of groups. Hours that are over are counted once and kept, so that what is counted each time are the rows of
 * the last two hours.
 */
export async function countByHour<Schema>(
  database: Database<Schema>,
  rows: CountedRows<Schema>,
  groupUuids: readonly string[],
  times: CountedTimes,
): Promise<ReadonlyMap<string, HourCounts>> {
  const stored = await readStored(database, rows.table, groupUuids, times.sinceMs);
  const counts = new Map<string, HourCounts>();
  for (const groupUuid of groupUuids) {
    const { hours, total, lastMs } = stored.get(groupUuid) ?? NOTHING_KEPT;
    const fromMs = lastMs === undefined ? hourOf(times.firstMs) : lastMs + HOUR_MS;
    const fresh = await database.read((query) => rows.count(query, groupUuid, fromMs));
    await keep(database, rows.table, groupUuid, closedHours(fresh, fromMs, times.nowMs));
    counts.set(groupUuid, {
      hours: [...hours, ...fresh.filter(({ hourMs }) => hourMs >= hourOf(times.sinceMs))],
      total: fresh.reduce((sum, { count }) => sum + count, total),
    });
  }
  return counts;
}

interface Kept extends HourCounts {
  /** The last hour that is kept. */
  readonly lastMs?: bigint;
}

const NOTHING_KEPT: Kept = { hours: [], total: 0n };

async function readStored<Schema>(
  database: Database<Schema>,
  table: string,
  groupUuids: readonly string[],
  sinceMs: bigint,
): Promise<ReadonlyMap<string, Kept>> {
  if (groupUuids.length === 0) return new Map();
  const ofGroups = sql`from ${sql.table(table)} where sale in (${sql.join(groupUuids.map(bytesOfHex))})`;
  const sums = sql<{ sale: Uint8Array; total: Count; last_ms: Count }>`
    select sale, sum(counted) as total, max(hour_ms) as last_ms ${ofGroups} group by sale`;
  const shown = sql<HourCountTable>`
    select sale, hour_ms, counted ${ofGroups} and hour_ms >= ${hourOf(sinceMs)} and counted > 0 order by sale, hour_ms`;
  return database.read(async (query) => {
    const [{ rows: totals }, { rows: hours }] = [await sums.execute(query), await shown.execute(query)];
    const byUuid = Map.groupBy(hours, ({ sale }) => uuidFromBytes(sale));
    return new Map(
      totals.map(({ sale, total, last_ms }) => {
        const uuid = uuidFromBytes(sale);
        return [uuid, { hours: (byUuid.get(uuid) ?? []).map(decode), total: BigInt(total), lastMs: BigInt(last_ms) }];
      }),
    );
  });
}

function decode({ hour_ms, counted }: HourCountTable): HourCount {
  return { hourMs: BigInt(hour_ms), count: BigInt(counted) };
}

/** Returns the hours whose counts can't change any more. The last of them is there, also without rows. */
function closedHours(fresh: readonly HourCount[], fromMs: bigint, nowMs: bigint): readonly HourCount[] {
  const endMs = hourOf(nowMs - LATE_MS);
  const closed = fresh.filter(({ hourMs }) => hourMs < endMs);
  const last = endMs - HOUR_MS;
  if (last < fromMs || closed.at(-1)?.hourMs === last) return closed;
  return [...closed, { hourMs: last, count: 0n }];
}

/** Keeps counts, in the order of time. Another process may have kept the same ones meanwhile. */
async function keep<Schema>(
  database: Database<Schema>,
  table: string,
  groupUuid: string,
  hours: readonly HourCount[],
): Promise<void> {
  const group = bytesOfHex(groupUuid);
  const clause = sql.raw(database.dialect.upsertClause(["sale", "hour_ms"], ["counted"]));
  for (let start = 0; start < hours.length; start += MAX_KEPT_TOGETHER) {
    const together = hours.slice(start, start + MAX_KEPT_TOGETHER);
    const values = sql.join(together.map(({ hourMs, count }) => sql`(${group}, ${hourMs}, ${count})`));
    const insert = sql`insert into ${sql.table(table)} (sale, hour_ms, counted) values ${values} ${clause}`;
    await database.write((transaction) => insert.execute(transaction));
  }
}
