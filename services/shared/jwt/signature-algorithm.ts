import type { CryptoKey } from "jose";

/** Of RFC 7518 section 3.1: RSASSA-PKCS1-v1_5 and ECDSA on P-256, both with SHA-256. */
export type SignatureAlgorithm = "ES256" | "RS256";

/** What auth signs with: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM: SignatureAlgorithm = "ES256";

const KEY_ALGORITHMS: Readonly<Record<SignatureAlgorithm, string>> = { ES256: "ECDSA", RS256: "RSASSA-PKCS1-v1_5" };

/** Whether a key is one for an algorithm, so that no token can have it used for another (RFC 8725 section 3.1). */
export function fitsAlgorithm(key: CryptoKey, algorithm: string | undefined): boolean {
  return Object.entries(KEY_ALGORITHMS).some(
    ([name, keyAlgorithm]) => name === algorithm && key.algorithm.name === keyAlgorithm,
  );
}
