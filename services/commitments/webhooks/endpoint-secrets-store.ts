import { bothKeys, deriveBoth, type WithOther } from "../../../common/platform/secrets/both-keys.ts";
import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";

/** Encrypts the secrets of endpoints for storage, each bound to its endpoint. */
export class EndpointSecrets {
  readonly #keys: WithOther<{ readonly webhookSecret: Uint8Array }>;

  /**
   * @param keyEncryptionKey `KEY_ENCRYPTION_KEY`, 32 bytes
   * @param other `KEY_ENCRYPTION_KEY_OTHER`, which only reads what was encrypted before
   */
  constructor(keyEncryptionKey: Uint8Array, other?: Uint8Array) {
    const derive = (key: Uint8Array) => ({ webhookSecret: deriveKey(key, "tidemark.commitments webhook secret") });
    this.#keys = deriveBoth(derive, keyEncryptionKey, other);
  }

  /** The present key, and after it the other one. */
  get keys(): readonly [Uint8Array, ...Uint8Array[]] {
    return bothKeys(this.#keys, "webhookSecret");
  }

  wrap(endpointUuid: string, secret: Uint8Array): Buffer {
    return wrap(this.#keys.webhookSecret, endpointUuid, secret);
  }

  /** Returns a secret; undefined if it was wrapped with neither key, or for another endpoint. */
  unwrap(endpointUuid: string, wrapped: Uint8Array): Buffer | undefined {
    return unwrapWithAny(this.keys, endpointUuid, wrapped);
  }
}
