import { type CryptoKey, compactVerify, decodeJwt, importJWK, type JWK, type JWTPayload } from "jose";
import type { AssertionAlgorithm } from "../../../common/platform/jwt/assertion-algorithms.ts";
import { type AssertionExpectation, checkAssertionClaims, type ValidAssertion } from "./assertion-claims.ts";
import { type AssertionHeader, readAssertionHeader } from "./assertion-header.ts";
import { invalidAssertion } from "./invalid-assertion.ts";

/**
 * Verifies the assertion of a client (`private_key_jwt`: RFC 7523 section 3, OpenID Connect Core section 9), but not whether it
 * was used before.
 *
 * @param keys the public keys of the client
 * @throws OAuthError `invalid_client` that names the rule.
 */
export async function verifyAssertion(
  assertion: string,
  keys: readonly JWK[],
  expected: AssertionExpectation,
): Promise<ValidAssertion> {
  const header = readAssertionHeader(assertion);
  const claims = await signedClaims(assertion, assertionKey(keys, header), header);
  return checkAssertionClaims(claims, expected);
}

/** @throws OAuthError `invalid_client` */
async function signedClaims(assertion: string, jwk: JWK, { algorithm }: AssertionHeader): Promise<JWTPayload> {
  try {
    const key = (await importJWK(publicPart(jwk), algorithm)) as CryptoKey;
    await compactVerify(assertion, key, { algorithms: [algorithm] });
    return decodeJwt(assertion);
  } catch {
    // A library's message could contain a value that was sent.
    throw invalidAssertion("its signature must be by a key of the client");
  }
}

/** The members of a key that its mathematics needs: others could restrict what a library lets it do. */
function publicPart({ kty, crv, x, y, n, e }: JWK): JWK {
  if (kty === "RSA") return { kty, n, e } as JWK;
  return { kty, crv, x, ...(y === undefined ? {} : { y }) } as JWK;
}

/**
 * Returns the client's key that an assertion must be signed with. The client's keys decide which algorithms there are, never
 * the assertion (RFC 8725 section 3.1).
 *
 * @param keys the public keys of the client
 * @throws OAuthError `invalid_client` for an unknown `kid`; and without one, unless exactly one key fits.
 */
function assertionKey(keys: readonly JWK[], { algorithm, keyId }: AssertionHeader): JWK {
  const named = keyId === undefined ? keys : keys.filter(({ kid }) => kid === keyId);
  if (named.length === 0) throw invalidAssertion("kid must be that of a key of the client");
  const [key, ...others] = named.filter((candidate) => algorithmsOf(candidate).includes(algorithm));
  if (key === undefined) throw invalidAssertion("alg must be one for the key of the client");
  if (others.length > 0) throw invalidAssertion("kid must say which of the client's keys has signed it");
  return key;
}

/** The algorithms that a public key is for; none for a key of another kind. */
function algorithmsOf({ kty, crv, alg }: JWK): readonly AssertionAlgorithm[] {
  if (kty === "EC" && crv === "P-256") return ["ES256"];
  if (kty === "OKP" && crv === "Ed25519") return ["EdDSA", "Ed25519"];
  if (kty !== "RSA") return [];
  return (["RS256", "PS256"] as const).filter((algorithm) => alg === undefined || alg === algorithm);
}
