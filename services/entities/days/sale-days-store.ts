import { type Kysely, sql, type Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { HOUR_MS } from "../../../common/platform/db/hour-counts.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Entity, SetupState } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The permits of a day that were refused for one reason. */
export interface RefusedOnDay {
  /** The beginning of the day, UTC: milliseconds since 1970. */
  readonly dayMs: bigint;
  /** A name of `FAILURE_REASONS`. */
  readonly reason: string;
  readonly count: bigint;
}

/** The same, of a sale. */
export interface SaleRefusals extends RefusedOnDay {
  readonly saleUuid: string;
}

export const DAY_MS = 24n * HOUR_MS;
/** Prefix of the names of these numbers in their rows. */
const REFUSED = "refused:";
/** Days that are shown, and one for clocks that differ. */
const RETENTION_MS = 31n * DAY_MS;
const KEYS = ["sale", "day_ms", "name"];

/** Returns the beginning of a time's day, UTC: milliseconds since 1970. */
export function dayOf(ms: bigint): bigint {
  return ms - (ms % DAY_MS);
}

/** Adds to the numbers of days, but for sales that were erased. @param refusals each of another sale, day and reason */
export async function addRefusals(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  refusals: readonly SaleRefusals[],
): Promise<void> {
  const erased = await readErasedSales(transaction, [...new Set(refusals.map(({ saleUuid }) => saleUuid))]);
  // All processes lock the rows in this order.
  const counted = refusals
    .filter(({ saleUuid }) => !erased.has(saleUuid))
    .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), "en"));
  if (counted.length === 0) return;
  const values = counted.map(
    ({ saleUuid, dayMs, reason, count }) => sql`(${bytesOfHex(saleUuid)}, ${dayMs}, ${REFUSED + reason}, ${count})`,
  );
  await sql`
    insert into sale_day (sale, day_ms, name, counted) values ${sql.join(values)}
    ${sql.raw(dialect.addClause(KEYS, "counted"))}`.execute(transaction);
}

function keyOf({ saleUuid, dayMs, reason }: SaleRefusals): string {
  return `${saleUuid} ${dayMs} ${reason}`;
}

async function readErasedSales(
  query: Kysely<EntitiesSchema>,
  saleUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query
    .selectFrom("sale_permits")
    .select("sale")
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .where("erased_at_ms", "is not", null)
    .execute();
  return new Set(rows.map(({ sale }) => uuidFromBytes(sale)));
}

/** Returns the refused permits of a sale's days since a time, the earliest first. */
export async function readRefusals(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  sinceMs: bigint,
): Promise<readonly RefusedOnDay[]> {
  const rows = await query
    .selectFrom("sale_day")
    .select(["day_ms", "name", "counted"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("day_ms", ">=", dayOf(sinceMs))
    .orderBy("day_ms")
    .orderBy("name")
    .execute();
  return rows
    .filter(({ name }) => name.startsWith(REFUSED))
    .map(({ day_ms, name, counted }) => ({
      ...{ dayMs: BigInt(day_ms), reason: name.slice(REFUSED.length), count: BigInt(counted) },
    }));
}

/** An entity that has an ID in a sale. */
export interface SaleEntityState {
  readonly entityUuid: string;
  /** When the sale first saw it; undefined where that isn't stored. */
  readonly createdAtMs: bigint | undefined;
  /** Its set-up; undefined for one that was deleted. */
  readonly setup: Pick<Entity, "setupState" | "approvalExpiresAtMs"> | undefined;
}

/** A part of a list in the order of the entities' internal IDs. */
export interface EntityPage {
  /** The last entity of the part before; empty for the first part. */
  readonly after: string;
  readonly size: number;
}

/** Reads a sale's entities. */
export async function readEntityStates(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { after, size }: EntityPage,
): Promise<readonly SaleEntityState[]> {
  let rows = query
    .selectFrom("sale_entity")
    .leftJoin("entity", "entity.entity", "sale_entity.entity")
    .select([
      "sale_entity.entity as id",
      "sale_entity.created_at_ms as created",
      "setup_state",
      "approval_expires_at_ms",
    ])
    .where("sale", "=", bytesOfHex(saleUuid));
  if (after !== "") rows = rows.where("sale_entity.entity", ">", bytesOfHex(after));
  return (await rows.orderBy("sale_entity.entity").limit(size).execute()).map((row) => ({
    entityUuid: uuidFromBytes(row.id),
    createdAtMs: row.created === null ? undefined : BigInt(row.created),
    setup: row.setup_state === null ? undefined : setupOf(row.setup_state, row.approval_expires_at_ms),
  }));
}

function setupOf(state: string, approvalExpiresAtMs: bigint | string | null): SaleEntityState["setup"] {
  return {
    setupState: state as SetupState,
    approvalExpiresAtMs: approvalExpiresAtMs === null ? undefined : BigInt(approvalExpiresAtMs),
  };
}

export function expiredSaleDays(nowMs: bigint): ExpiredRows {
  return { table: "sale_day", ageColumn: "day_ms", cutoff: nowMs - RETENTION_MS };
}

/** Deletes the numbers of a sale's days: a few for each day that it was there. */
export async function deleteSaleDays(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("sale_day").where("sale", "=", bytesOfHex(saleUuid)).execute();
}
