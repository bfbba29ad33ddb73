import type { Kysely } from "kysely";
import { ConfigError } from "../../../common/platform/config/config-error.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";
import { type DerivedKeys, deriveKeys } from "./derived-keys.ts";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";
import type { StoredSecretTable } from "./secret-tables.ts";

type SecretName = StoredSecretTable["name"];

/** The keys with which a process is configured. */
export interface ConfiguredKeys {
  readonly keyEncryptionKey: Uint8Array;
  readonly otherKeyEncryptionKey?: Uint8Array | undefined;
}

/**
 * Opens the keys of HMACs, which the first start stores as versions before derived them. A change of `KEY_ENCRYPTION_KEY` leaves
 * them as they are, since what the HMACs were computed over isn't stored.
 *
 * @returns all keys of the service
 * @throws ConfigError where no configured key opens them, and at a first start with a second key
 */
export async function openStoredSecrets(
  database: EntitiesDatabase,
  { keyEncryptionKey, otherKeyEncryptionKey }: ConfiguredKeys,
): Promise<DerivedKeys> {
  const derived = deriveKeys(keyEncryptionKey, otherKeyEncryptionKey);
  let stored = await database.read(readSecrets);
  if (stored.size === 0) {
    if (otherKeyEncryptionKey !== undefined) throw firstStartWithTwo();
    await storeFirst(database, derived);
    stored = await database.read(readSecrets);
  }
  const open = (name: SecretName) => openSecret(derived, name, stored.get(name));
  return { ...derived, index: open("index"), providerReference: open("provider_reference") };
}

/** Stores the first values, unless another process has just done so. */
async function storeFirst(database: EntitiesDatabase, derived: DerivedKeys): Promise<void> {
  const first: readonly [SecretName, Uint8Array][] = [
    ["index", derived.index],
    ["provider_reference", derived.providerReference],
  ];
  const rows = first.map(([name, secret]) => ({ name, secret: wrap(derived.storedSecretWrap, name, secret) }));
  try {
    await database.write((transaction) => transaction.insertInto("stored_secret").values(rows).execute());
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}

async function readSecrets(query: Kysely<EntitiesSchema>): Promise<ReadonlyMap<SecretName, Uint8Array>> {
  const rows = await query.selectFrom("stored_secret").selectAll().execute();
  return new Map(rows.map(({ name, secret }) => [name, secret]));
}

function openSecret(derived: DerivedKeys, name: SecretName, wrapped: Uint8Array = new Uint8Array()): Uint8Array {
  const secret = unwrapWithAny(bothKeys(derived, "storedSecretWrap"), name, wrapped);
  if (secret !== undefined) return Uint8Array.from(secret);
  throw new ConfigError(
    "KEY_ENCRYPTION_KEY",
    "expected the key that wraps the secrets in the database; KEY_ENCRYPTION_KEY_OTHER may be it, too",
  );
}

function firstStartWithTwo(): ConfigError {
  return new ConfigError(
    "KEY_ENCRYPTION_KEY_OTHER",
    "expected none at the first start of this version, which stores secrets by the key in use",
  );
}
