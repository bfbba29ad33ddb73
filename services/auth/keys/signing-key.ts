import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from "jose";
import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";

export interface NewSigningKey {
  /** The key's thumbprint (RFC 7638). */
  readonly keyId: string;
  /** PKCS #8 in AES-256-GCM: nonce, ciphertext and tag. */
  readonly wrapped: Buffer;
  readonly publicJwk: JWK;
}

/** The length of new RSA keys in bits, the least of RFC 7518 section 3.3. A longer one would sign several times slower. */
const RSA_BITS = 2_048;

/** Generates a key, with its private part wrapped for storage. An RSA key takes 100 ms of a thread of the pool. */
export async function generateSigningKey(wrapKey: Uint8Array, algorithm: SignatureAlgorithm): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: RSA_BITS });
  const jwk = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint(jwk);
  const pem = Buffer.from(await exportPKCS8(privateKey));
  return {
    keyId,
    wrapped: wrap(wrapKey, keyId, pem),
    publicJwk: { ...jwk, kid: keyId, alg: algorithm, use: "sig" },
  };
}

/** Unwraps a private key as PEM; undefined if it was wrapped with none of the keys or for another key ID, or is damaged. */
export function unwrapPrivateKey(
  wrapKeys: readonly Uint8Array[],
  keyId: string,
  wrapped: Uint8Array,
): string | undefined {
  return unwrapWithAny(wrapKeys, keyId, wrapped)?.toString();
}
