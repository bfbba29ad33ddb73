import { createHmac, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** Keys derived from `KEY_ENCRYPTION_KEY` (RFC 5869), each for one purpose. */
export interface DerivedKeys {
  /** Wraps the private signing keys (AES-256-GCM). */
  readonly signingKeyWrap: Uint8Array;
  /** The key of the HMAC over a sign-in and its one-time code. */
  readonly oneTimeCode: Uint8Array;
  /** The key of the HMAC that makes the successor of a refresh token. */
  readonly refreshSuccessor: Uint8Array;
  /** The key of the HMAC that hides e-mail and network addresses in the tables of counts and of known networks. */
  readonly counters: Uint8Array;
  /** The key of the HMAC in the cookie of a browser that has signed in. */
  readonly knownBrowser: Uint8Array;
}

export function deriveKeys(keyEncryptionKey: Uint8Array): DerivedKeys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync("sha256", keyEncryptionKey, "", `tidemark.auth ${purpose}`, KEY_BYTES));
  return {
    signingKeyWrap: derive("signing key wrap"),
    oneTimeCode: derive("one-time code"),
    refreshSuccessor: derive("refresh successor"),
    counters: derive("counters"),
    knownBrowser: derive("known browser"),
  };
}

/** HMAC-SHA-256 of several parts. Each is preceded by its length, so that no two lists of parts give the same input. */
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
