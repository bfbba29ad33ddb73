import { type Kysely, sql } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import type { EntitiesSchema } from "../schema/schema.ts";

/** The numbers of a sale's permits. */
export interface PermitCounts {
  readonly permits: bigint;
  /** Entities and wallets that have got at least one. */
  readonly entities: bigint;
  readonly wallets: bigint;
  readonly unexpired: bigint;
}

/** The permits of an hour. */
export interface HourCount {
  /** The beginning of the hour: milliseconds since 1970. */
  readonly hourMs: bigint;
  readonly permits: bigint;
}

type Count = bigint | number | string;

const HOUR_MS = 3_600_000n;
/** The hours that are counted. */
const HOURS = 720n;

/** Counts the permits of a sale. */
export async function countPermits(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  nowMs: bigint,
): Promise<PermitCounts> {
  const row = await query
    .selectFrom("permit")
    .select(({ fn }) => [
      fn.countAll<Count>().as("permits"),
      fn.count<Count>("entity").distinct().as("entities"),
      fn.count<Count>("wallet").distinct().as("wallets"),
      sql<Count | null>`sum(case when expires_at_ms > ${nowMs} then 1 else 0 end)`.as("unexpired"),
    ])
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirstOrThrow();
  const { permits, entities, wallets, unexpired } = row;
  return {
    permits: BigInt(permits),
    entities: BigInt(entities),
    wallets: BigInt(wallets),
    unexpired: BigInt(unexpired ?? 0n),
  };
}

/** Counts the permits of each of the last 720 hours with at least one, the earliest first. */
export async function countHours(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  nowMs: bigint,
): Promise<readonly HourCount[]> {
  const hour = sql<bigint | string>`issued_at_ms - issued_at_ms % ${sql.lit(Number(HOUR_MS))}`;
  const first = nowMs - (nowMs % HOUR_MS) - (HOURS - 1n) * HOUR_MS;
  const rows = await query
    .selectFrom("permit")
    .select(({ fn }) => [hour.as("hour"), fn.countAll<Count>().as("permits")])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("issued_at_ms", ">=", first)
    .groupBy(hour)
    .orderBy("hour")
    .execute();
  return rows.map((row) => ({ hourMs: BigInt(row.hour), permits: BigInt(row.permits) }));
}
