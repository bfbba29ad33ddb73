import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { PermitKeyTable } from "../base/permit-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { PermitKey } from "./permit-key.ts";

/** Returns the keys of a sale, the newest first. */
export async function readKeys(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<readonly PermitKey[]> {
  const rows = await query
    .selectFrom("permit_key")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .orderBy("created_at_ms", "desc")
    .orderBy("permit_key")
    .execute();
  return rows.map(keyOfRow);
}

/** Inserts a next key. The transaction must have locked its sale. */
export async function insertKey(transaction: Transaction<EntitiesSchema>, key: PermitKey): Promise<void> {
  const row: PermitKeyTable = {
    permit_key: bytesOfHex(key.uuid),
    sale: bytesOfHex(key.saleUuid),
    status: key.status,
    kind: key.kind,
    chain: key.chain,
    address: Buffer.from(key.address),
    remote: key.remote ? 1 : 0,
    private_key: key.privateKey === undefined ? null : Buffer.from(key.privateKey),
    created_at_ms: key.createdAtMs,
    activated_at_ms: null,
    retired_at_ms: null,
  };
  await transaction.insertInto("permit_key").values(row).execute();
}

/**
 * Makes a key the active one, and erases the private key of the one that was. The transaction must have locked their sale.
 */
export async function storeActivation(
  transaction: Transaction<EntitiesSchema>,
  { uuid, saleUuid }: PermitKey,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("permit_key")
    .set({ status: "retired", retired_at_ms: nowMs, private_key: null })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("status", "=", "active")
    .execute();
  await transaction
    .updateTable("permit_key")
    .set({ status: "active", activated_at_ms: nowMs })
    .where("permit_key", "=", bytesOfHex(uuid))
    .execute();
}

export async function deleteKey(transaction: Transaction<EntitiesSchema>, keyUuid: string): Promise<void> {
  await transaction.deleteFrom("permit_key").where("permit_key", "=", bytesOfHex(keyUuid)).execute();
}

/** Deletes all keys of a sale. */
export async function deleteKeys(transaction: Transaction<EntitiesSchema>, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("permit_key").where("sale", "=", bytesOfHex(saleUuid)).execute();
}

export function keyOfRow(row: PermitKeyTable): PermitKey {
  return {
    uuid: uuidFromBytes(row.permit_key),
    saleUuid: uuidFromBytes(row.sale),
    status: row.status,
    kind: row.kind,
    chain: row.chain,
    address: Uint8Array.from(row.address),
    remote: Number(row.remote) === 1,
    ...(row.private_key !== null && { privateKey: Uint8Array.from(row.private_key) }),
    createdAtMs: BigInt(row.created_at_ms),
    ...(row.activated_at_ms !== null && { activatedAtMs: BigInt(row.activated_at_ms) }),
    ...(row.retired_at_ms !== null && { retiredAtMs: BigInt(row.retired_at_ms) }),
  };
}

/** Whether a sale has a key that signs its permits. */
export async function hasActiveKey(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("permit_key")
    .select("permit_key")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("status", "=", "active")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns those of some sales that have a key that signs their permits. */
export async function salesWithActiveKey(
  query: Kysely<EntitiesSchema>,
  saleUuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (saleUuids.length === 0) return new Set();
  const rows = await query
    .selectFrom("permit_key")
    .select("sale")
    .where("sale", "in", saleUuids.map(bytesOfHex))
    .where("status", "=", "active")
    .execute();
  return new Set(rows.map(({ sale }) => uuidFromBytes(sale)));
}
