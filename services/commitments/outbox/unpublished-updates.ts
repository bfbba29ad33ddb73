import { CompiledQuery, type SqlBool, sql } from "kysely";
import { inBatches } from "../../../common/platform/db/batches.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { parseTraceParent, type TraceContext } from "../../../common/platform/tracing/trace-context.ts";
import { bigintOf } from "../base/encoding.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { ALL_PARTITIONS, isInPartitions } from "./partitions.ts";

/** A revision whose event is to be published. */
export interface UnpublishedUpdate {
  readonly saleUuid: string;
  readonly generation: string;
  readonly revision: bigint;
  /** Undefined in a row from before events were stored: there is nothing to publish. */
  readonly event: Uint8Array | undefined;
  /** The trace of the change, if it is traced. */
  readonly trace: TraceContext | undefined;
}

/** The unpublished part of the outbox. */
export interface OutboxBacklog {
  readonly rows: number;
  /** The age of the oldest row in milliseconds; 0 without rows. */
  readonly ageMillis: number;
}

/**
 * Reads updates of some partitions that aren't marked as published, by sale and revision.
 *
 * @param partitions at least one
 * @param afterSale the UUID after which sales are read; from the first one on without it
 */
export async function readUnpublished(
  database: CommitmentsDatabase,
  limit: number,
  partitions: readonly number[],
  afterSale?: string,
): Promise<readonly UnpublishedUpdate[]> {
  const rows = await database.read((connection) => {
    const query = connection
      .selectFrom("outbox")
      .select(["sale", "generation", "revision", "event", "trace_parent"])
      .where("published_at_ms", "is", null)
      .where(isInPartitions(partitions))
      .orderBy("sale")
      .orderBy("revision")
      .limit(limit);
    const after = afterSale === undefined ? query : query.where("sale", ">", bytesOfHex(afterSale));
    return after.execute();
  });
  return rows.map(({ sale, generation, revision, event, trace_parent }) => ({
    saleUuid: uuidFromBytes(sale),
    generation: hexOfBytes(generation),
    revision: bigintOf(revision),
    event: event ?? undefined,
    trace: parseTraceParent(trace_parent),
  }));
}

/**
 * Runs that one statement marks. SQLite takes no condition that is nested more than 1,000 deep, as each `or` is, and MySQL reads the whole
 * table where its optimizer has too many ranges to compare.
 */
const MARKED_AT_ONCE = 500;

/** Marks runs of revisions as published. If it fails, some of them may be marked. */
export async function markPublished(database: CommitmentsDatabase, runs: readonly PublishedRun[]): Promise<void> {
  for (const batch of inBatches(runs, MARKED_AT_ONCE)) {
    const statement = markStatement(database.dialect, batch);
    await database.write((transaction) => transaction.executeQuery(statement));
  }
}

/** Builds the statement as text: for hundreds of runs, Kysely's builder takes longer than the database. */
function markStatement(dialect: SqlDialect, runs: readonly PublishedRun[]): CompiledQuery {
  const bound = new BoundValues(dialect);
  const isMarked = runs.map(({ saleUuid, first, last }) => {
    const sale = bound.one(bytesOfHex(saleUuid));
    return `(sale = ${sale} and revision between ${bound.one(first)} and ${bound.one(last)})`;
  });
  const text = `update outbox set published_at_ms = ${dialect.nowMillisText} where ${isMarked.join(" or ")}`;
  return CompiledQuery.raw(text, bound.parameters);
}

/** Consecutive revisions of a sale that were published. */
export interface PublishedRun {
  readonly saleUuid: string;
  readonly first: bigint;
  readonly last: bigint;
}

export async function readBacklog(database: CommitmentsDatabase): Promise<OutboxBacklog> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("outbox")
      .select(({ fn }) => [fn.countAll<bigint | number>().as("rows"), fn.min("created_at_ms").as("oldest")])
      .select(database.dialect.nowMillis.as("now"))
      .where("published_at_ms", "is", null)
      .executeTakeFirst(),
  );
  const oldest = row?.oldest ?? undefined;
  const ageMillis = row === undefined || oldest === undefined ? 0 : Number(BigInt(row.now) - BigInt(oldest));
  return { rows: Number(row?.rows ?? 0), ageMillis: Math.max(0, ageMillis) };
}

/** The approximate number of rows that are unmarked in one transaction. */
const REPLAY_BATCH = 500;

/**
 * Unmarks the rows that were committed at `sinceMillis` or later and published before now, the oldest first.
 *
 * @param partitions those of which rows are unmarked; all by default
 * @returns the number of revisions that will be published again.
 */
export async function replayOutbox(
  database: CommitmentsDatabase,
  sinceMillis: bigint,
  partitions: readonly number[] = ALL_PARTITIONS,
): Promise<bigint> {
  const startedAt = await database.nowMillis();
  let replayed = 0n;
  for (let from: bigint | undefined = sinceMillis; from !== undefined; ) {
    const batch: ReplayedBatch = await replayBatch(database, partitions, from, startedAt);
    replayed += batch.rows;
    from = batch.next;
  }
  return replayed;
}

interface ReplayedBatch {
  readonly rows: bigint;
  /** The time at which the next batch begins; undefined after the last one. */
  readonly next: bigint | undefined;
}

async function replayBatch(
  database: CommitmentsDatabase,
  partitions: readonly number[],
  from: bigint,
  startedAt: bigint,
): Promise<ReplayedBatch> {
  const edge = await database.read((connection) =>
    connection
      .selectFrom("outbox")
      .select("created_at_ms")
      .where("created_at_ms", ">=", from)
      .orderBy("created_at_ms")
      .limit(1)
      .offset(REPLAY_BATCH - 1)
      .executeTakeFirst(),
  );
  const last = edge === undefined ? undefined : bigintOf(edge.created_at_ms);
  const isBefore = last === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`created_at_ms <= ${last}`;
  const { numUpdatedRows } = await database.write((transaction) =>
    transaction
      .updateTable("outbox")
      .set({ published_at_ms: null })
      .where("created_at_ms", ">=", from)
      .where(isBefore)
      .where(isInPartitions(partitions))
      // Rows that are published meanwhile are on the present bus already.
      .where("published_at_ms", "<=", startedAt)
      .executeTakeFirstOrThrow(),
  );
  return { rows: numUpdatedRows, next: last === undefined ? undefined : last + 1n };
}
