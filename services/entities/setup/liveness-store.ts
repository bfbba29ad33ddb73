import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { upsertRows } from "../../../common/platform/db/sql/upsert.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { LivenessTable } from "../base/setup-tables.ts";

const LIVENESS = tableTarget<LivenessTable>("liveness", { sale: "key", entity: "key", proved_at_ms: "value" });

/** Whether the person of an entity has proved to be present, for a sale. */
export async function hasLiveness(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
): Promise<boolean> {
  const row = await query
    .selectFrom("liveness")
    .select("proved_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("entity", "=", bytesOfHex(entityUuid))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns when the person of an entity has last proved to be present, by sale. */
export async function readLiveness(
  query: Kysely<EntitiesSchema>,
  entityUuid: string,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await query
    .selectFrom("liveness")
    .select(["sale", "proved_at_ms"])
    .where("entity", "=", bytesOfHex(entityUuid))
    .execute();
  return new Map(rows.map(({ sale, proved_at_ms }) => [uuidFromBytes(sale), BigInt(proved_at_ms)]));
}

/** Records the proof. The transaction must have locked the entity. */
export async function storeLiveness(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  {
    saleUuid,
    entityUuid,
    provedAtMs,
  }: { readonly saleUuid: string; readonly entityUuid: string; readonly provedAtMs: bigint },
): Promise<void> {
  const row = { sale: bytesOfHex(saleUuid), entity: bytesOfHex(entityUuid), proved_at_ms: provedAtMs };
  await upsertRows(transaction, dialect, LIVENESS, [row]);
}

/** Forgets the proofs of an entity. */
export async function deleteLiveness(transaction: Transaction<EntitiesSchema>, entityUuid: string): Promise<void> {
  await transaction.deleteFrom("liveness").where("entity", "=", bytesOfHex(entityUuid)).execute();
}
