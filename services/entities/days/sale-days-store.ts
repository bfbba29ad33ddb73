import { type Kysely, sql, type Transaction } from "kysely";
import { HOUR_MS } from "../../../common/platform/db/hour-counts.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Entity, SetupState } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Name of a number of a day: entities that applications saw for the first time, or refused permits, by reason. */
export type CountedName = "entity" | `refused:${string}`;

/** A number of a day. */
export interface SaleDayCount {
  /** The beginning of the day, UTC: milliseconds since 1970. */
  readonly dayMs: bigint;
  readonly name: CountedName;
  readonly count: bigint;
}

export const DAY_MS = 24n * HOUR_MS;
const KEYS = ["sale", "day_ms", "name"];

/** Returns the beginning of a time's day, UTC: milliseconds since 1970. */
export function dayOf(ms: bigint): bigint {
  return ms - (ms % DAY_MS);
}

/** Adds to the numbers of days. @param counts at least one, each of another sale, day and name */
export async function addToDays(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  counts: readonly (SaleDayCount & { readonly saleUuid: string })[],
): Promise<void> {
  // All processes lock the rows in this order.
  const ordered = counts.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), "en"));
  const values = ordered.map(
    ({ saleUuid, dayMs, name, count }) => sql`(${bytesOfHex(saleUuid)}, ${dayMs}, ${name}, ${count})`,
  );
  await sql`
    insert into sale_day (sale, day_ms, name, counted) values ${sql.join(values)}
    ${sql.raw(dialect.addClause(KEYS, "counted"))}`.execute(transaction);
}

function keyOf({ saleUuid, dayMs, name }: SaleDayCount & { readonly saleUuid: string }): string {
  return `${saleUuid} ${dayMs} ${name}`;
}

/** Returns the numbers of a sale's days since a time, the earliest first. */
export async function readSaleDays(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  sinceMs: bigint,
): Promise<readonly SaleDayCount[]> {
  const rows = await query
    .selectFrom("sale_day")
    .select(["day_ms", "name", "counted"])
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("day_ms", ">=", dayOf(sinceMs))
    .orderBy("day_ms")
    .orderBy("name")
    .execute();
  return rows.map(({ day_ms, name, counted }) => ({
    ...{ dayMs: BigInt(day_ms), name: name as CountedName, count: BigInt(counted) },
  }));
}

/** The set-up of an entity that has an ID in a sale. */
export interface SaleEntityState extends Pick<Entity, "setupState" | "approvalExpiresAtMs"> {
  readonly entityUuid: string;
}

/** A part of a list in the order of the entities' internal IDs. */
export interface EntityPage {
  /** The last entity of the part before; empty for the first part. */
  readonly after: string;
  readonly size: number;
}

/** Reads the set-up of a sale's entities that weren't deleted. */
export async function readEntityStates(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { after, size }: EntityPage,
): Promise<readonly SaleEntityState[]> {
  let rows = query
    .selectFrom("sale_entity")
    .innerJoin("entity", "entity.entity", "sale_entity.entity")
    .select(["sale_entity.entity as id", "setup_state", "approval_expires_at_ms"])
    .where("sale", "=", bytesOfHex(saleUuid));
  if (after !== "") rows = rows.where("sale_entity.entity", ">", bytesOfHex(after));
  return (await rows.orderBy("sale_entity.entity").limit(size).execute()).map((row) => ({
    entityUuid: uuidFromBytes(row.id),
    setupState: row.setup_state as SetupState,
    approvalExpiresAtMs: row.approval_expires_at_ms === null ? undefined : BigInt(row.approval_expires_at_ms),
  }));
}

/** Deletes the numbers of a sale's days: a few for each day that it was there. */
export async function deleteSaleDays(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("sale_day").where("sale", "=", bytesOfHex(saleUuid)).execute();
}
