import { deriveBoth, type WithOther } from "../../../common/platform/secrets/both-keys.ts";
import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";

/** Keys of one purpose each, apart from those of auth. Those that encrypt exist for `KEY_ENCRYPTION_KEY_OTHER`, too. */
export interface DerivedKeys extends WithOther<WrapKeys> {
  /** The key of the HMACs by which e-mail addresses and members are found. Stored: see `openStoredSecrets`. */
  readonly index: Uint8Array;
  /** The key of the HMAC over references of identity providers. Stored, too. */
  readonly providerReference: Uint8Array;
}

/** Keys that encrypt what is stored. */
interface WrapKeys {
  /** Wraps the private keys that sign permits. */
  readonly permitKeyWrap: Uint8Array;
  /** Encrypts the e-mail addresses of members. */
  readonly memberEmail: Uint8Array;
  /** Wraps the keys of HMACs. */
  readonly storedSecretWrap: Uint8Array;
}

/**
 * Derives all keys from `KEY_ENCRYPTION_KEY` (RFC 5869). The keys of HMACs are those of a database that has none stored yet.
 *
 * @param other `KEY_ENCRYPTION_KEY_OTHER`, which only reads what was made before
 */
export function deriveKeys(keyEncryptionKey: Uint8Array, other?: Uint8Array): DerivedKeys {
  return {
    ...deriveBoth(wrapKeys, keyEncryptionKey, other),
    index: derive(keyEncryptionKey, "index"),
    providerReference: derive(keyEncryptionKey, "provider reference"),
  };
}

function wrapKeys(keyEncryptionKey: Uint8Array): WrapKeys {
  return {
    permitKeyWrap: derive(keyEncryptionKey, "permit key wrap"),
    memberEmail: derive(keyEncryptionKey, "member e-mail"),
    storedSecretWrap: derive(keyEncryptionKey, "stored secret wrap"),
  };
}

function derive(keyEncryptionKey: Uint8Array, purpose: string): Uint8Array {
  return deriveKey(keyEncryptionKey, `tidemark.entities ${purpose}`);
}
