import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from "jose";
import { SIGNING_ALGORITHM } from "../../shared/jwt/signature-algorithm.ts";
import { unwrap, wrap } from "../../shared/secrets/wrap.ts";

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
  return unwrap(wrapKey, keyId, wrapped)?.toString();
}
