import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { SETUP_HANDLE_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The handles that are kept of an entity. Whoever begins more often has lost the older pages. */
const MAX_HANDLES = 20;

/** The meaning of a handle. */
export interface HandleSubject {
  readonly entityUuid: string;
  /** The sale of a proof that a person is present; undefined for a set-up. */
  readonly saleUuid?: string | undefined;
}

/** Stores a handle. The transaction must have locked the entity. */
export async function storeHandle(
  transaction: Transaction<EntitiesSchema>,
  handle: string,
  { entityUuid, saleUuid }: HandleSubject,
  nowMs: bigint,
): Promise<void> {
  await deleteOldest(transaction, entityUuid);
  const subject = { entity: bytesOfHex(entityUuid), sale: saleUuid === undefined ? null : bytesOfHex(saleUuid) };
  const times = { created_at_ms: nowMs, expires_at_ms: nowMs + SETUP_HANDLE_MS };
  await transaction
    .insertInto("setup_handle")
    .values({ handle: hashOf(handle), ...subject, ...times })
    .execute();
}

/** Returns what a handle stands for. @param handle as a callback names it */
export async function findHandle(
  query: Kysely<EntitiesSchema>,
  handle: string,
  nowMs: bigint,
): Promise<HandleSubject | undefined> {
  const row = await query
    .selectFrom("setup_handle")
    .select(["entity", "sale"])
    .where("handle", "=", hashOf(handle))
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return row && { entityUuid: uuidFromBytes(row.entity), saleUuid: row.sale ? uuidFromBytes(row.sale) : undefined };
}

export async function deleteHandles(transaction: Transaction<EntitiesSchema>, entityUuid: string): Promise<void> {
  await transaction.deleteFrom("setup_handle").where("entity", "=", bytesOfHex(entityUuid)).execute();
}

export function expiredHandles(nowMs: bigint): ExpiredRows {
  return { table: "setup_handle", ageColumn: "expires_at_ms", cutoff: nowMs };
}

async function deleteOldest(transaction: Transaction<EntitiesSchema>, entityUuid: string): Promise<void> {
  const rows = await transaction
    .selectFrom("setup_handle")
    .select("handle")
    .where("entity", "=", bytesOfHex(entityUuid))
    .orderBy("created_at_ms", "desc")
    .orderBy("handle")
    .limit(2 * MAX_HANDLES)
    .execute();
  const old = rows.slice(MAX_HANDLES - 1).map(({ handle }) => Buffer.from(handle));
  if (old.length > 0) await transaction.deleteFrom("setup_handle").where("handle", "in", old).execute();
}

function hashOf(handle: string): Buffer {
  return createHash("sha256").update(handle).digest();
}
