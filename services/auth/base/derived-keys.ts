import { createHmac, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** Keys for one purpose each, derived from `KEY_ENCRYPTION_KEY` (RFC 5869). */
export interface DerivedKeys {
  /** Wraps the private signing keys (AES-256-GCM). */
  readonly signingKeyWrap: Uint8Array;
  /** HMAC over a sign-in and its one-time code. */
  readonly oneTimeCode: Uint8Array;
  /** HMAC of a refresh token, which gives its successor. */
  readonly refreshSuccessor: Uint8Array;
  /** HMAC of what is counted for limits: addresses of e-mail and of the network. */
  readonly counters: Uint8Array;
}

export function deriveKeys(keyEncryptionKey: Uint8Array): DerivedKeys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync("sha256", keyEncryptionKey, "", `tidemark.auth ${purpose}`, KEY_BYTES));
  return {
    signingKeyWrap: derive("signing key wrap"),
    oneTimeCode: derive("one-time code"),
    refreshSuccessor: derive("refresh successor"),
    counters: derive("counters"),
  };
}

/** HMAC-SHA-256 of parts, each told apart from the next by its length. */
export function macOf(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    mac.update(length).update(bytes);
  }
  return mac.digest();
}
