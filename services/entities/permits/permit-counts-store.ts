import { type Kysely, sql } from "kysely";
import {
  type CountedRows,
  countByHour,
  HOUR_MS,
  type HourCount,
  type HourCounts,
} from "../../../common/platform/db/hour-counts.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../base/schema.ts";
import { countUnexpiredPermits } from "../rules/unexpired-permits-store.ts";
import { firstPermitKey } from "./permits-store.ts";

/** The numbers of those who have got permits of a sale, and of its permits that may be used still. */
export interface PermitHolders {
  /** Entities and wallets that have got at least one. */
  readonly entities: bigint;
  readonly wallets: bigint;
  readonly unexpired: bigint;
}

type Count = bigint | number | string;

/** The hours that are shown. */
const HOURS = 720n;

const ISSUED: CountedRows<EntitiesSchema> = { table: "permit_hour", count: countHours };

/** Counts the entities and wallets that have got permits of a sale. It reads all permits of the sale. */
export async function countHolders(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  nowMs: bigint,
): Promise<PermitHolders> {
  const { entities, wallets } = await query
    .selectFrom("permit")
    .select(({ fn }) => [
      fn.count<Count>("entity").distinct().as("entities"),
      fn.count<Count>("wallet").distinct().as("wallets"),
    ])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  const unexpired = await countUnexpiredPermits(query, saleUuid, nowMs);
  return { entities: BigInt(entities), wallets: BigInt(wallets), unexpired };
}

/** Counts the permits of a sale, and those of each of the last 720 hours. */
export async function countIssued(database: EntitiesDatabase, saleUuid: string, nowMs: bigint): Promise<HourCounts> {
  const sinceMs = nowMs - (HOURS - 1n) * HOUR_MS;
  return (await countIssuedSince(database, [saleUuid], nowMs, sinceMs)).get(saleUuid) ?? { hours: [], total: 0n };
}

/** Counts the permits of sales, and those of each hour since a time. */
export function countIssuedSince(
  database: EntitiesDatabase,
  saleUuids: readonly string[],
  nowMs: bigint,
  sinceMs: bigint,
): Promise<ReadonlyMap<string, HourCounts>> {
  return countByHour(database, ISSUED, saleUuids, { nowMs, firstMs: 0n, sinceMs });
}

async function countHours(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  fromMs: bigint,
): Promise<readonly HourCount[]> {
  const hour = sql<bigint | string>`issued_at_ms - issued_at_ms % ${sql.lit(Number(HOUR_MS))}`;
  const rows = await query
    .selectFrom("permit")
    .select(({ fn }) => [hour.as("hour"), fn.countAll<Count>().as("count")])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("permit", ">=", firstPermitKey(fromMs))
    .groupBy(hour)
    .orderBy("hour")
    .execute();
  return rows.map((row) => ({ hourMs: BigInt(row.hour), count: BigInt(row.count) }));
}
