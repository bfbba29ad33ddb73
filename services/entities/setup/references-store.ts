import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { ProviderName } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** The name of a person or an organization at a provider. */
export interface ProviderReference {
  readonly provider: ProviderName;
  readonly reference: string;
}

type Keys = Pick<DerivedKeys, "providerReference">;

/**
 * Gives a reference to an entity, for good: also after the entity's deletion it belongs to nobody else.
 *
 * @returns false if another entity has it
 */
export async function bindReference(
  transaction: Transaction<EntitiesSchema>,
  keys: Keys,
  reference: ProviderReference,
  entityUuid: string,
): Promise<boolean> {
  const owner = await findReference(transaction, keys, reference);
  if (owner !== undefined) return owner === entityUuid;
  const row = { reference: hashOf(keys, reference), entity: bytesOfHex(entityUuid) };
  await transaction.insertInto("provider_reference").values(row).execute();
  return true;
}

/** Returns the UUID of the entity that has a reference, or had it before its deletion. */
export async function findReference(
  query: Kysely<EntitiesSchema>,
  keys: Keys,
  reference: ProviderReference,
): Promise<string | undefined> {
  const row = await query
    .selectFrom("provider_reference")
    .select("entity")
    .where("reference", "=", hashOf(keys, reference))
    .executeTakeFirst();
  return row && uuidFromBytes(row.entity);
}

function hashOf({ providerReference }: Keys, { provider, reference }: ProviderReference): Buffer {
  return macOf(providerReference, provider, reference);
}
