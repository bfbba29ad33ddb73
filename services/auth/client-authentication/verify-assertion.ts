import { type CryptoKey, compactVerify, decodeJwt, importJWK, type JWK, type JWTPayload } from "jose";
import { type AssertionExpectation, checkAssertionClaims, type ValidAssertion } from "./assertion-claims.ts";
import { type AssertionHeader, readAssertionHeader } from "./assertion-header.ts";
import { assertionKey } from "./assertion-key.ts";
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
