import type { JWK } from "jose";
import type { AssertionAlgorithm } from "../../../common/platform/jwt/assertion-algorithms.ts";
import type { AssertionHeader } from "./assertion-header.ts";
import { invalidAssertion } from "./invalid-assertion.ts";

/**
 * Returns the client's key that an assertion must be signed with. The client's keys decide which algorithms there are, never
 * the assertion (RFC 8725 section 3.1).
 *
 * @param keys the public keys of the client
 * @throws OAuthError `invalid_client` for an unknown `kid`; and without one, unless exactly one key fits.
 */
export function assertionKey(keys: readonly JWK[], { algorithm, keyId }: AssertionHeader): JWK {
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
