import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** A sale whose permits were stopped. */
export interface Stop {
  readonly saleUuid: string;
  /** Milliseconds since 1970. */
  readonly stoppedAtMs: bigint;
}

/** Stops the permits of a sale, which the transaction must have locked. A later stop takes the place of an earlier one. */
export async function storeStop(
  transaction: Transaction<EntitiesSchema>,
  { saleUuid, stoppedAtMs }: Stop,
): Promise<void> {
  await transaction
    .updateTable("sale_permits")
    .set({ stopped_at_ms: stoppedAtMs })
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
}

/** Ends a stop, unless another one has come meanwhile. The transaction must have locked the sale. */
export async function endStop(
  transaction: Transaction<EntitiesSchema>,
  { saleUuid, stoppedAtMs }: Stop,
): Promise<void> {
  await transaction
    .updateTable("sale_permits")
    .set({ stopped_at_ms: null })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("stopped_at_ms", "=", stoppedAtMs)
    .execute();
}

/** Notes that the erasure of a sale has begun. The transaction must have locked the sale. @param nowMs milliseconds since 1970 */
export async function storeErasure(
  transaction: Transaction<EntitiesSchema>,
  saleUuid: string,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("sale_permits")
    .set({ erased_at_ms: nowMs })
    .where("sale", "=", bytesOfHex(saleUuid))
    .execute();
}

/** Returns the stop of a sale; undefined if its permits aren't stopped. */
export async function readStop(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<Stop | undefined> {
  const row = await query
    .selectFrom("sale_permits")
    .select("stopped_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  if (row === undefined || row.stopped_at_ms === null) return undefined;
  return { saleUuid, stoppedAtMs: BigInt(row.stopped_at_ms) };
}

/** Returns sales whose permits are stopped, those that were stopped first. */
export async function readStops(query: Kysely<EntitiesSchema>, limit: number): Promise<readonly Stop[]> {
  const rows = await query
    .selectFrom("sale_permits")
    .select(["sale", "stopped_at_ms"])
    .where("stopped_at_ms", "is not", null)
    .orderBy("stopped_at_ms")
    .limit(limit)
    .execute();
  return rows.map(({ sale, stopped_at_ms }) => ({
    saleUuid: uuidFromBytes(sale),
    stoppedAtMs: BigInt(stopped_at_ms ?? 0n),
  }));
}
