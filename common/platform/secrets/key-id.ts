import { deriveKey } from "./derive-key.ts";

const ID_BYTES = 8;

/** Returns 16 hexadecimal digits that name a `KEY_ENCRYPTION_KEY` without telling anything about it. */
export function keyEncryptionKeyId(keyEncryptionKey: Uint8Array): string {
  return Buffer.from(deriveKey(keyEncryptionKey, "tidemark key ID")).toString("hex", 0, ID_BYTES);
}
