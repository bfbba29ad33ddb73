import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** Derives 32 bytes from a key, such as `KEY_ENCRYPTION_KEY`, for one purpose (HKDF with SHA-256, RFC 5869). */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", purpose, KEY_BYTES));
}
