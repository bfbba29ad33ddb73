import { type CompiledQuery, type SelectQueryBuilder, sql } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
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

/** Result of a look at the outbox. */
export interface ChangesSince {
  /** The point up to which a look that follows has all changes that this one hasn't. */
  readonly point: OutboxPoint;
  /** The sales that have changed since the point before; undefined without one, and where not all of them are known. */
  readonly changed: readonly ChangedSale[] | undefined;
}

/**
 * Reads which sales have changed since a point: those with a change that was committed `overlapMillis` before it or later, as a row of the
 * outbox is unpublished from its commit until it is marked with the time of its publication. One message to the database.
 *
 * @param since the point of an earlier look; undefined for a look that only returns its point
 */
export async function lookAtOutbox(
  database: CommitmentsDatabase,
  since: OutboxPoint | undefined,
  { overlapMillis, limits }: { readonly overlapMillis: bigint; readonly limits: ChangeLimits },
): Promise<ChangesSince> {
  const { dialect, query } = database;
  // The point comes first: what is committed after it is found by the next look, too.
  const { points, stills, counts } = await database.read((connection) =>
    executeNamed(connection, dialect, {
      points: selectPoint(query, dialect, limits.rows),
      stills: since && selectRowsUpTo(query, since, limits.rows),
      counts: since && selectChanged(query, since.atMillis - overlapMillis, limits),
    }),
  );
  const point = pointOf(points[0]);
  if (since === undefined || !isAfter(point, since) || !hasStill(since, stills?.[0], limits.rows))
    return { point, changed: undefined };
  const saleUuids = [...new Set(counts?.map(({ sale }) => uuidFromBytes(sale)))];
  const rows = counts?.reduce((sum, { count }) => sum + Number(count), 0) ?? 0;
  if (saleUuids.length > limits.sales || rows > limits.rows) return { point, changed: undefined };
  return { point, changed: saleUuids.length === 0 ? [] : await readSales(database, saleUuids) };
}

/** Whether a point is on the other's time line: all sales may have begun anew, and a clock may have been set back. */
function isAfter(point: OutboxPoint, since: OutboxPoint): boolean {
  if (since.commonGeneration !== point.commonGeneration) return false;
  return point.atMillis >= since.atMillis && point.newestMillis >= since.newestMillis;
}

/** @param limit of rows that are counted */
function selectPoint(query: Query, dialect: SqlDialect, limit: number) {
  const newest = query.selectFrom("outbox").select(({ fn }) => fn.max("created_at_ms").as("newest"));
  const rows = query
    .selectFrom("outbox")
    .where("created_at_ms", ">=", sql<bigint>`coalesce(${newest}, 0) - ${WINDOW_MS}`);
  return (
    counted(query, rows, limit)
      // One statement, as a failover may come between two.
      .select(newest.as("newest"))
      .select(({ selectFrom }) =>
        selectFrom("outbox_relay").select("holder").where("name", "=", COMMON_GENERATION).as("common"),
      )
      .select(dialect.nowMillis.as("now_ms"))
      .compile()
  );
}

type PointRow = ReturnType<typeof selectPoint> extends CompiledQuery<infer Row> ? Row : never;

function pointOf(row: PointRow | undefined): OutboxPoint {
  if (row === undefined) throw new Error("the outbox has no newest point");
  return {
    atMillis: BigInt(row.now_ms),
    newestMillis: bigintOf(row.newest ?? 0n),
    count: BigInt(row.count),
    sum: BigInt(row.sum ?? 0),
    commonGeneration: row.common ?? generationText(0n),
  };
}

/** Builds the statement that counts the rows that an earlier look had, and those that were added among them since. */
function selectRowsUpTo(query: Query, { newestMillis }: NewestRows, limit: number) {
  const rows = query
    .selectFrom("outbox")
    .where("created_at_ms", ">=", newestMillis - WINDOW_MS)
    .where("created_at_ms", "<=", newestMillis);
  return counted(query, rows, limit).compile();
}

/** Returns whether the outbox still has all rows that it had; false where there are more than `limit`, too. */
function hasStill(before: NewestRows, row: CountedRow | undefined, limit: number): boolean {
  if (row === undefined || before.count > limit || BigInt(row.count) > limit) return false;
  const [added, addedSum] = [BigInt(row.count) - before.count, BigInt(row.sum ?? 0) - before.sum];
  return added === 0n ? addedSum === 0n : added > 0n && addedSum > 0n;
}

type Query = CommitmentsDatabase["query"];

/** Counts and sums rows, one more than `limit` at most: of more it is only known that they are. */
function counted(query: Query, rows: SelectQueryBuilder<CommitmentsSchema, "outbox", object>, limit: number) {
  const some = rows
    .select(["revision", "created_at_ms"])
    .limit(limit + 1)
    .as("some");
  return query.selectFrom(some).select(({ fn }) => [fn.countAll<bigint | number>().as("count"), SUM.as("sum")]);
}

interface CountedRow {
  readonly count: bigint | number;
  readonly sum: bigint | number | string | null;
}

/** Builds the statement that counts by sale the rows that aren't published, and those marked since a time: up to one more than `limits`. */
function selectChanged(query: Query, sinceMillis: bigint, limits: ChangeLimits) {
  const unpublished = query.selectFrom("outbox").where("published_at_ms", "is", null);
  const published = query.selectFrom("outbox").where("published_at_ms", ">=", sinceMillis);
  const count = (rows: typeof published) =>
    query
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
    .compile();
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
