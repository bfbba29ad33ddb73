import { bytesOfHex, hexOfBytes } from "../../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../../common/platform/encoding/uuid.ts";
import type { EntitiesDatabase } from "../../../../services/entities/base/schema.ts";
import { persist } from "../persist.ts";

/** A row of a permit. IDs of an entity in a sale, and wallets, are hexadecimal digits. */
export interface StoredPermit {
  readonly uuid: string;
  readonly saleSpecificId: string;
  readonly wallet: string;
  readonly clientUuid: string;
  readonly keyUuid: string;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly issuedAtMs: bigint;
  readonly expiresAtMs: bigint;
}

/** Reads all permits of a sale, by the test's own statement. */
export async function storedPermits({ query }: EntitiesDatabase, saleUuid: string): Promise<readonly StoredPermit[]> {
  const read = () => query.selectFrom("permit").selectAll().where("sale", "=", bytesOfHex(saleUuid)).execute();
  const { result: rows } = await persist(read);
  return rows.map((row) => ({
    uuid: uuidFromBytes(row.permit),
    saleSpecificId: hexOfBytes(row.sale_specific_id),
    wallet: hexOfBytes(row.wallet),
    clientUuid: uuidFromBytes(row.client),
    keyUuid: uuidFromBytes(row.permit_key),
    minAmount: BigInt(row.min_amount),
    maxAmount: BigInt(row.max_amount),
    minPrice: BigInt(row.min_price),
    maxPrice: BigInt(row.max_price),
    issuedAtMs: BigInt(row.issued_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
  }));
}
