import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { SaleStatus } from "../../../common/sale/state/status.ts";
import { isPublic } from "../base/domain/sale-state.ts";
import { bigintOf } from "../base/encoding.ts";
import { COMMON_GENERATION, generationText } from "../base/generation.ts";
import { decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** A point of the outbox, by the database's clock. All changes that weren't committed by then are found by a later look. */
export interface OutboxPoint {
  readonly atMillis: bigint;
  /** The time of the newest row; 0 without one. */
  readonly newestMillis: bigint;
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

/** Returns whether a row of the outbox is of a time. */
export async function hasOutboxRowOf(database: CommitmentsDatabase, createdAtMillis: bigint): Promise<boolean> {
  const row = await database.read((connection) =>
    connection.selectFrom("outbox").select("revision").where("created_at_ms", "=", createdAtMillis).limit(1).execute(),
  );
  return row.length > 0;
}

/** Returns the point up to which a look at the outbox that follows has all changes. */
export async function outboxPoint(database: CommitmentsDatabase): Promise<OutboxPoint> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("outbox")
      .select(({ fn, selectFrom }) => [
        fn.max("created_at_ms").as("newest"),
        selectFrom("outbox_relay").select("holder").where("name", "=", COMMON_GENERATION).as("common"),
      ])
      .select(database.dialect.nowMillis.as("now_ms"))
      .executeTakeFirstOrThrow(),
  );
  const commonGeneration = row.common ?? generationText(0n);
  return { atMillis: BigInt(row.now_ms), newestMillis: bigintOf(row.newest ?? 0n), commonGeneration };
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
