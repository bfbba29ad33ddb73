import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { Entity, EntityTypeName } from "../base/entity.ts";
import type { ImportedEntityIdTable } from "../base/entity-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The IDs of an entity in one sale. */
export interface EntityIds {
  /** The ID for calls of the sale's applications. */
  readonly publicUuid: string;
  /** The ID in the sale's contract: 16 bytes, never zero. */
  readonly saleSpecificId: Uint8Array;
}

/** The columns by which imported IDs are found: sale, person, and for an organization its label. */
export type ImportedIdKey = Pick<ImportedEntityIdTable, "sale" | "email" | "type" | "label">;

/**
 * @param email normalised by `parseEmailAddress`
 * @param label trimmed; ignored for a person
 */
export function importedIdKey(
  { index }: Pick<DerivedKeys, "index">,
  {
    saleUuid,
    email,
    type,
    label,
  }: { readonly saleUuid: string; readonly email: string; readonly type: EntityTypeName; readonly label: string },
): ImportedIdKey {
  return {
    sale: bytesOfHex(saleUuid),
    email: macOf(index, "imported entity ID", email),
    type,
    label: createHash("sha256")
      .update(type === "person" ? "" : label)
      .digest(),
  };
}

/** Returns the IDs that were imported for a person's entity in a sale. @param email the account's */
export async function findImportedIds(
  query: Kysely<EntitiesSchema>,
  derivedKeys: Pick<DerivedKeys, "index">,
  saleUuid: string,
  { type, label }: Pick<Entity, "type" | "label">,
  email: string,
): Promise<EntityIds | undefined> {
  const key = importedIdKey(derivedKeys, { saleUuid, email, type, label });
  return findImportedByKey(query, key);
}

export async function findImportedByKey(
  query: Kysely<EntitiesSchema>,
  { sale, email, type, label }: ImportedIdKey,
): Promise<EntityIds | undefined> {
  const row = await query
    .selectFrom("imported_entity_id")
    .select(["entity_uuid", "sale_specific_id"])
    .where("sale", "=", sale)
    .where("email", "=", email)
    .where("type", "=", type)
    .where("label", "=", label)
    .executeTakeFirst();
  return row && { publicUuid: uuidFromBytes(row.entity_uuid), saleSpecificId: Uint8Array.from(row.sale_specific_id) };
}

/** Whether an ID belongs to an imported row already. */
export async function isImported(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  { publicUuid, saleSpecificId }: EntityIds,
): Promise<boolean> {
  const row = await query
    .selectFrom("imported_entity_id")
    .select("email")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where((either) =>
      either.or([
        either("entity_uuid", "=", bytesOfHex(publicUuid)),
        either("sale_specific_id", "=", Buffer.from(saleSpecificId)),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertImportedIds(
  transaction: Transaction<EntitiesSchema>,
  key: ImportedIdKey,
  { publicUuid, saleSpecificId }: EntityIds,
): Promise<void> {
  const ids = { entity_uuid: bytesOfHex(publicUuid), sale_specific_id: Buffer.from(saleSpecificId) };
  await transaction
    .insertInto("imported_entity_id")
    .values({ ...key, ...ids })
    .execute();
}
