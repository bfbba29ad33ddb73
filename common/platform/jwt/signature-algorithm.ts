import type { CryptoKey } from "jose";

/** Algorithms of RFC 7518 section 3.1: ECDSA on P-256 and RSASSA-PKCS1-v1_5, both with SHA-256. */
export type SignatureAlgorithm = "ES256" | "RS256";

/** The algorithm of auth's access and actor tokens: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM: SignatureAlgorithm = "ES256";

const KEY_ALGORITHMS: Readonly<Record<SignatureAlgorithm, string>> = { ES256: "ECDSA", RS256: "RSASSA-PKCS1-v1_5" };

/** Whether a key is for an algorithm: a token must not choose another one for it (RFC 8725 section 3.1). */
export function fitsAlgorithm(key: CryptoKey, algorithm: string | undefined): boolean {
  return Object.entries(KEY_ALGORITHMS).some(
    ([name, keyAlgorithm]) => name === algorithm && key.algorithm.name === keyAlgorithm,
  );
}
