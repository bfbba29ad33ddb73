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
  const owners = await readOwners(transaction, keys, reference);
  if (owners.length > 0) return owners.includes(entityUuid);
  const [hash] = hashesOf(keys, reference);
  const row = { reference: hash, entity: bytesOfHex(entityUuid) };
  await transaction.insertInto("provider_reference").values(row).execute();
  return true;
}

/** Returns the UUID of the entity that has a reference, or had it before its deletion. */
export async function findReference(
  query: Kysely<EntitiesSchema>,
  keys: Keys,
  reference: ProviderReference,
): Promise<string | undefined> {
  const [owner] = await readOwners(query, keys, reference);
  return owner;
}

/** Returns the owners of a reference in all its spellings: several only where an earlier version has told these apart. */
async function readOwners(
  query: Kysely<EntitiesSchema>,
  keys: Keys,
  reference: ProviderReference,
): Promise<readonly string[]> {
  const rows = await query
    .selectFrom("provider_reference")
    .select("entity")
    .where("reference", "in", hashesOf(keys, reference))
    .execute();
  return rows.map(({ entity }) => uuidFromBytes(entity));
}

/**
 * Returns the keyed hash of a reference, then those under which it may have been stored earlier. A reviewer's is typed, as the number
 * of a passport, and means the same in any case; earlier versions stored it as it was typed. A vendor's is compared exactly.
 */
function hashesOf({ providerReference }: Keys, { provider, reference }: ProviderReference): [Buffer, ...Buffer[]] {
  const hashOf = (text: string) => macOf(providerReference, provider, text);
  if (provider !== "review") return [hashOf(reference)];
  const lower = reference.normalize("NFC").toLowerCase();
  return [hashOf(lower), hashOf(reference), hashOf(lower.toUpperCase())];
}
