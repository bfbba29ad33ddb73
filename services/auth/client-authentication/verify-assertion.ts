import {
  type CryptoKey,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  type ProtectedHeaderParameters,
} from "jose";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { ASSERTION_ALGORITHMS, type AssertionAlgorithm } from "../../../common/platform/jwt/assertion-algorithms.ts";
import { ASSERTION_CLOCK_TOLERANCE_S, ASSERTION_LIFETIME_S } from "../base/lifetimes.ts";
import { invalidAssertion } from "./client-credentials.ts";

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

/** Values with which the claims of an assertion are compared. */
interface AssertionExpectation {
  readonly clientUuid: string;
  /** The only accepted audience. */
  readonly issuer: string;
  readonly nowMs: bigint;
}

/** The identity of an assertion that is valid now. */
interface ValidAssertion {
  /** The `jti`. */
  readonly jwtId: string;
  /** From then on the assertion isn't valid, whatever the clocks. Milliseconds since 1970. */
  readonly expiresAtMs: bigint;
}

const MAX_JWT_ID_CHARACTERS = 256;

/**
 * Checks the claims of an assertion whose signature is right (RFC 7523 section 3). The audience is the issuer alone: an assertion
 * that is also for somebody else could have been made for him and passed on.
 *
 * @throws OAuthError `invalid_client` that names the claim.
 */
function checkAssertionClaims(claims: JWTPayload, expected: AssertionExpectation): ValidAssertion {
  for (const name of ["iss", "sub"] as const) {
    const claim: unknown = claims[name];
    if (typeof claim === "string" && parseUuid(claim) === expected.clientUuid) continue;
    throw invalidAssertion(`${name} must be the client_id`);
  }
  const audience: unknown = claims.aud;
  const [only, ...others] = Array.isArray(audience) ? audience : [audience];
  if (only !== expected.issuer || others.length > 0) throw invalidAssertion("aud must be the issuer, and nothing else");
  const expiry = checkTimes(claims, Number(expected.nowMs) / 1_000);
  return { jwtId: checkJwtId(claims), expiresAtMs: BigInt(Math.ceil((expiry + ASSERTION_CLOCK_TOLERANCE_S) * 1_000)) };
}

/** @returns `exp` */
function checkTimes({ exp, nbf, iat }: JWTPayload, now: number): number {
  if (!isTime(exp)) throw invalidAssertion("exp must be a number");
  if (exp + ASSERTION_CLOCK_TOLERANCE_S <= now) throw invalidAssertion("it has expired");
  if (exp - ASSERTION_CLOCK_TOLERANCE_S > now + ASSERTION_LIFETIME_S) {
    throw invalidAssertion(`exp must be at most ${ASSERTION_LIFETIME_S} seconds from now`);
  }
  for (const [name, time] of Object.entries({ nbf, iat })) {
    if (time === undefined) continue;
    if (!isTime(time)) throw invalidAssertion(`${name} must be a number`);
    if (time - ASSERTION_CLOCK_TOLERANCE_S > now) throw invalidAssertion(`${name} must not be in the future`);
  }
  if (iat !== undefined && iat + ASSERTION_LIFETIME_S + ASSERTION_CLOCK_TOLERANCE_S < now) {
    throw invalidAssertion(`iat must be at most ${ASSERTION_LIFETIME_S} seconds ago`);
  }
  return exp;
}

function checkJwtId({ jti }: JWTPayload): string {
  if (typeof jti === "string" && jti !== "" && jti.length <= MAX_JWT_ID_CHARACTERS) return jti;
  throw invalidAssertion(`jti must be a string of 1 to ${MAX_JWT_ID_CHARACTERS} characters`);
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

interface AssertionHeader {
  readonly algorithm: AssertionAlgorithm;
  /** Undefined where the assertion names no key. */
  readonly keyId: string | undefined;
}

/** Members that would let an assertion bring its own key, or change what its signature means (RFC 7515 section 4.1). */
const REFUSED_MEMBERS = ["jwk", "jku", "x5u", "x5c", "crit"] as const;
/** The types of JWTs for client authentication. No other kind of JWT may pass for one (RFC 8725 section 3.11). */
const TYPES = ["jwt", "client-authentication+jwt"];

/** Reads the header of an assertion. @throws OAuthError `invalid_client` */
function readAssertionHeader(assertion: string): AssertionHeader {
  const header = decodedHeader(assertion);
  const refused = REFUSED_MEMBERS.find((member) => Object.hasOwn(header, member));
  if (refused !== undefined) throw invalidAssertion(`its header must not have ${refused}`);
  const { alg, kid, typ } = header;
  if (typ !== undefined && !(typeof typ === "string" && TYPES.includes(typ.toLowerCase()))) {
    throw invalidAssertion("typ must be absent, JWT or client-authentication+jwt");
  }
  if (kid !== undefined && typeof kid !== "string") throw invalidAssertion("kid must be a string");
  return { algorithm: algorithmOf(alg), keyId: kid };
}

function algorithmOf(alg: unknown): AssertionAlgorithm {
  const algorithm = ASSERTION_ALGORITHMS.find((allowed) => allowed === alg);
  if (algorithm !== undefined) return algorithm;
  throw invalidAssertion(`alg must be one of ${ASSERTION_ALGORITHMS.join(", ")}: no client has a secret`);
}

function decodedHeader(assertion: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(assertion);
  } catch {
    throw invalidAssertion("its header is malformed");
  }
}
