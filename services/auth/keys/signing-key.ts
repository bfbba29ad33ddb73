import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from "jose";
import { SIGNING_ALGORITHM } from "../../shared/jwt/signature-algorithm.ts";

const WRAP_CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface NewSigningKey {
  /** The key's thumbprint (RFC 7638). */
  readonly keyId: string;
  /** PKCS #8 in AES-256-GCM: nonce, ciphertext and tag. */
  readonly wrapped: Buffer;
  readonly publicJwk: JWK;
}

/** Generates a key, with its private part wrapped for storage. */
export async function generateSigningKey(wrapKey: Uint8Array): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint(jwk);
  const pem = Buffer.from(await exportPKCS8(privateKey));
  return {
    keyId,
    wrapped: wrap(wrapKey, keyId, pem),
    publicJwk: { ...jwk, kid: keyId, alg: SIGNING_ALGORITHM, use: "sig" },
  };
}

/** Unwraps a private key as PEM; undefined if it was wrapped with another key or for another key ID, or is damaged. */
export function unwrapPrivateKey(wrapKey: Uint8Array, keyId: string, wrapped: Uint8Array): string | undefined {
  const nonce = wrapped.subarray(0, NONCE_BYTES);
  const tag = wrapped.subarray(-TAG_BYTES);
  if (wrapped.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(WRAP_CIPHER, wrapKey, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(keyId)).setAuthTag(tag);
  try {
    const opened = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** Wraps a private key. The key ID is authenticated too, so that a wrapped key can't be passed off as another one. */
function wrap(wrapKey: Uint8Array, keyId: string, content: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(WRAP_CIPHER, wrapKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(keyId));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}
