import { hkdfSync } from "node:crypto";

const KEY_BYTES = 32;

/** Derives 32 bytes from `KEY_ENCRYPTION_KEY` for one purpose (HKDF with SHA-256, RFC 5869). */
export function deriveKey(keyEncryptionKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", keyEncryptionKey, "", purpose, KEY_BYTES));
}
