import { type SelectQueryBuilder, sql } from "kysely";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { SaleStatus } from "../../../common/sale/state/status.ts";
import { isPublic } from "../base/domain/sale-state.ts";
import { bigintOf } from "../base/encoding.ts";
import { COMMON_GENERATION, generationText } from "../base/generation.ts";
import { decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase, CommitmentsSchema } from "../base/schema.ts";

/** The part of the outbox that is compared: longer than a change takes from the time of its row to its commit, so that a failover loses rows of it. */
const WINDOW_MS = 15_000n;

/** The sum of a number of each row, small enough for a number to be exact. */
const SUM = sql<bigint | number | string | null>`sum(revision + created_at_ms % 100000)`;

/**
 * Rows of the newest part of the outbox, from `WINDOW_MS` before its newest row on. They are only ever added to, be it late: where
 * there are fewer or others, a failover has lost some.
 */
export interface NewestRows {
  /** The time of the newest row; 0 without one. */
  readonly newestMillis: bigint;
  /** One more than the limit where there are more rows. */
  readonly count: bigint;
  /** The sum of a number of each row, which hardly any other row has. */
  readonly sum: bigint;
}

/** A point of the outbox, by the database's clock. All changes that weren't committed by then are found by a later look. */
export interface OutboxPoint extends NewestRows {
  readonly atMillis: bigint;
  /** The generation that all sales began together last, of 16 digits; 0 before. */
  readonly commonGeneration: string;
}

/** A sale that has changed, as it is now. */
export interface ChangedSale {
  readonly saleUuid: string;
  readonly status: SaleStatus;
  readonly definitionVersion: bigint;
  readonly generation: string;
  readonly revision: bigint;
  /** Whether the public can read it. */
  readonly readable: boolean;
}

/** Bounds of what changes may be listed. */
export interface ChangeLimits {
  readonly sales: number;
  /** Rows of the outbox: while the bus is away, all of them are unpublished. */
  readonly rows: number;
}

/** Returns the point up to which a look at the outbox that follows has all changes. @param limit of rows that are counted */
export async function outboxPoint(database: CommitmentsDatabase, limit: number): Promise<OutboxPoint> {
  const row = await database.read((connection) => {
    const newest = connection.selectFrom("outbox").select(({ fn }) => fn.max("created_at_ms").as("newest"));
    const rows = connection
      .selectFrom("outbox")
      .where("created_at_ms", ">=", sql<bigint>`coalesce(${newest}, 0) - ${WINDOW_MS}`);
    return (
      counted(connection, rows, limit)
        // One statement, as a failover may come between two.
        .select(newest.as("newest"))
        .select(({ selectFrom }) =>
          selectFrom("outbox_relay").select("holder").where("name", "=", COMMON_GENERATION).as("common"),
        )
        .select(database.dialect.nowMillis.as("now_ms"))
        .executeTakeFirstOrThrow()
    );
  });
  const commonGeneration = row.common ?? generationText(0n);
  return {
    atMillis: BigInt(row.now_ms),
    newestMillis: bigintOf(row.newest ?? 0n),
    count: BigInt(row.count),
    sum: BigInt(row.sum ?? 0),
    commonGeneration,
  };
}

/** Returns whether the outbox still has all rows that it had; false where there are more than `limit`, too. */
export async function hasStill(database: CommitmentsDatabase, before: NewestRows, limit: number): Promise<boolean> {
  const { newestMillis } = before;
  if (before.count > limit) return false;
  const row = await database.read((connection) => {
    const rows = connection
      .selectFrom("outbox")
      .where("created_at_ms", ">=", newestMillis - WINDOW_MS)
      .where("created_at_ms", "<=", newestMillis);
    return counted(connection, rows, limit).executeTakeFirstOrThrow();
  });
  if (BigInt(row.count) > limit) return false;
  const [added, addedSum] = [BigInt(row.count) - before.count, BigInt(row.sum ?? 0) - before.sum];
  return added === 0n ? addedSum === 0n : added > 0n && addedSum > 0n;
}

type Connection = Parameters<Parameters<CommitmentsDatabase["read"]>[0]>[0];

/** Counts and sums rows, one more than `limit` at most: of more it is only known that they are. */
function counted(connection: Connection, rows: SelectQueryBuilder<CommitmentsSchema, "outbox", object>, limit: number) {
  const some = rows
    .select(["revision", "created_at_ms"])
    .limit(limit + 1)
    .as("some");
  return connection.selectFrom(some).select(({ fn }) => [fn.countAll<bigint | number>().as("count"), SUM.as("sum")]);
}

/**
 * Reads the sales with a change that was committed at a time or later: a row of the outbox is unpublished from its commit until it is
 * marked with the time of its publication.
 *
 * @returns undefined for more sales or rows than `limits`
 */
export async function readChangedSales(
  database: CommitmentsDatabase,
  sinceMillis: bigint,
  limits: ChangeLimits,
): Promise<readonly ChangedSale[] | undefined> {
  const counted = await database.read((connection) => {
    const unpublished = connection.selectFrom("outbox").where("published_at_ms", "is", null);
    const published = connection.selectFrom("outbox").where("published_at_ms", ">=", sinceMillis);
    const count = (rows: typeof published) =>
      connection
        .selectFrom(
          rows
            .select("sale")
            .limit(limits.rows + 1)
            .as("changed"),
        )
        .select(({ fn }) => ["sale", fn.countAll<bigint | number>().as("count")])
        .groupBy("sale");
    return count(unpublished)
      .unionAll(count(published))
      .limit(2 * (limits.sales + 1))
      .execute();
  });
  const saleUuids = [...new Set(counted.map(({ sale }) => uuidFromBytes(sale)))];
  const rows = counted.reduce((sum, { count }) => sum + Number(count), 0);
  if (saleUuids.length > limits.sales || rows > limits.rows) return undefined;
  return saleUuids.length === 0 ? [] : readSales(database, saleUuids);
}

async function readSales(database: CommitmentsDatabase, saleUuids: readonly string[]): Promise<readonly ChangedSale[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_state")
      .innerJoin("sale", "sale.sale", "sale_state.sale")
      .selectAll("sale_state")
      .select("definition_version")
      .where("sale_state.sale", "in", saleUuids.map(bytesOfHex))
      .execute(),
  );
  return rows.map((row) => {
    const state = decodeSaleState(row);
    return {
      saleUuid: uuidFromBytes(row.sale),
      status: state.status,
      definitionVersion: bigintOf(row.definition_version),
      generation: hexOfBytes(row.generation),
      revision: state.revision,
      readable: isPublic(state) && state.hasSnapshot,
    };
  });
}
