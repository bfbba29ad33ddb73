import { deriveKey } from "../../../shared/secrets/derive-key.ts";
import { unwrap, wrap } from "../../../shared/secrets/wrap.ts";

/** Encrypts the secrets of endpoints for storage, each bound to its endpoint. */
export class EndpointSecrets {
  readonly #key: Uint8Array;

  /** @param keyEncryptionKey `KEY_ENCRYPTION_KEY`, 32 bytes */
  constructor(keyEncryptionKey: Uint8Array) {
    this.#key = deriveKey(keyEncryptionKey, "tidemark.commitments webhook secret");
  }

  wrap(endpointUuid: string, secret: Uint8Array): Buffer {
    return wrap(this.#key, endpointUuid, secret);
  }

  /** Returns a secret; undefined if it was wrapped with another key, or for another endpoint. */
  unwrap(endpointUuid: string, wrapped: Uint8Array): Buffer | undefined {
    return unwrap(this.#key, endpointUuid, wrapped);
  }
}
