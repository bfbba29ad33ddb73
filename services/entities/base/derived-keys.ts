import { deriveKey } from "../../shared/secrets/derive-key.ts";

/** Keys derived from `KEY_ENCRYPTION_KEY`, each for one purpose, and apart from those of auth. */
export interface DerivedKeys {
  /** Wraps the private keys that sign permits. */
  readonly permitKeyWrap: Uint8Array;
  /** Encrypts the e-mail addresses of members. */
  readonly memberEmail: Uint8Array;
  /** The key of the HMACs by which e-mail addresses and members are found. */
  readonly index: Uint8Array;
  /** The key of the HMAC over references of identity providers. */
  readonly providerReference: Uint8Array;
}

export function deriveKeys(keyEncryptionKey: Uint8Array): DerivedKeys {
  const derive = (purpose: string) => deriveKey(keyEncryptionKey, `tidemark.entities ${purpose}`);
  return {
    permitKeyWrap: derive("permit key wrap"),
    memberEmail: derive("member e-mail"),
    index: derive("index"),
    providerReference: derive("provider reference"),
  };
}
