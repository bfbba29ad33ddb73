import { createHash } from "node:crypto";
import { invalidProof, ProofError, readProofKey, verifiesSignature } from "./proof-key.ts";

/** The request that a proof comes with, and what the server demands of the proof. */
export interface ProofRules {
  /** The method of the request. */
  readonly method: string;
  /** The URI of the request as applications know it, never by its `Host` header. */
  readonly uri: string;
  /** The access token that the request presents; absent at endpoints that take none. */
  readonly accessToken?: string | undefined;
  readonly age: ProofAgeRule;
}

/**
 * How the age of a proof is bounded (RFC 9449 sections 4.3 and 11.1): by the nonce of a server that supplies nonces, which is dated by
 * the server's clock, so that `iat` may be of any time; by `iat`, which is dated by the clock of the user's device, otherwise.
 */
type ProofAgeRule =
  /** Whether a nonce was supplied by this server lately. */
  | { readonly isNonce: (nonce: string) => boolean }
  /** Milliseconds since 1970. */
  | { readonly nowMs: bigint };

/** A proof that was verified. Whether it was used before isn't. */
export interface VerifiedProof {
  /** The thumbprint of its key (RFC 7638), which `cnf.jkt` of a bound token names. */
  readonly keyThumbprint: string;
  /** `jti`. */
  readonly proofId: string;
}

/** `typ` of a proof. */
const PROOF_TYPE = "dpop+jwt";
/** The accepted difference between `iat` and the clock of a server that supplies no nonces, in seconds. */
export const PROOF_CLOCK_TOLERANCE_S = 300;
/** Characters of a proof. The largest key, of RSA with 4,096 bits, makes it 2,000 long. */
const MAX_PROOF_CHARACTERS = 8_192;
const MAX_ID_CHARACTERS = 256;
const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Verifies a proof by the checks of RFC 9449 section 4.3. The signature comes last, since it costs most.
 *
 * @param header the value of the `DPoP` header; several headers are joined by commas.
 * @throws ProofError `invalid_dpop_proof`, or `use_dpop_nonce` if only the nonce and the signature are left to check.
 */
export function verifyProof(header: string, rules: ProofRules): VerifiedProof {
  if (header.includes(",")) throw invalidProof("there must be exactly one DPoP header");
  const [, first = "", second = "", third = ""] = COMPACT_JWS.exec(header) ?? [];
  if (third === "" || header.length > MAX_PROOF_CHARACTERS) throw invalidProof("the proof must be a signed JWT");
  const { typ, alg, jwk, crit } = jsonObject(first);
  if (typ !== PROOF_TYPE) throw invalidProof(`typ must be ${PROOF_TYPE}`);
  if (crit !== undefined) throw invalidProof("crit is not supported");
  const key = readProofKey(alg, jwk);
  const claims = jsonObject(second);
  const proofId = checkClaims(claims, rules);
  checkAge(claims, rules.age);
  const input = Buffer.from(`${first}.${second}`);
  if (!verifiesSignature(key, input, Buffer.from(third, "base64url"))) throw invalidProof("the signature is wrong");
  return { keyThumbprint: key.thumbprint, proofId };
}

function jsonObject(part: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Refused below.
  }
  throw invalidProof("the proof must be a signed JWT");
}

/** Checks all claims but those that date the proof. @returns `jti`. */
function checkClaims({ jti, htm, htu, ath }: JsonObject, rules: ProofRules): string {
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_ID_CHARACTERS) {
    throw invalidProof(`jti must be a text of 1 to ${MAX_ID_CHARACTERS} characters`);
  }
  if (htm !== rules.method) throw invalidProof("htm must be the method of the request");
  const target = typeof htu === "string" ? normalisedTarget(htu) : undefined;
  if (target === undefined || target !== normalisedTarget(rules.uri)) {
    throw invalidProof("htu must be the URI of the request without query and fragment");
  }
  if (rules.accessToken !== undefined && ath !== accessTokenHash(rules.accessToken)) {
    throw invalidProof("ath must be the hash of the access token");
  }
  return jti;
}

/** The `ath` of an access token (RFC 9449 section 4.2). */
function accessTokenHash(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest("base64url");
}

/** A proof without a fresh nonce is answered with one whatever its `iat`: libraries send a proof again for no other error. */
function checkAge({ nonce, iat }: JsonObject, age: ProofAgeRule): void {
  if (typeof iat !== "number" || !Number.isFinite(iat)) throw invalidProof("iat must be a number");
  if ("isNonce" in age) {
    if (typeof nonce === "string" && age.isNonce(nonce)) return;
    throw new ProofError("use_dpop_nonce", "nonce must be that of a recent DPoP-Nonce header");
  }
  if (Math.abs(Number(age.nowMs) / 1_000 - iat) <= PROOF_CLOCK_TOLERANCE_S) return;
  throw invalidProof(`iat must be at most ${PROOF_CLOCK_TOLERANCE_S} seconds from the present time`);
}

/** Visible ASCII without the backslash, which parsers of browsers read as a slash. */
const VISIBLE = /^[!-[\]-~]+$/;
const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * Normalises the URI of a request for comparison (RFC 9449 section 4.3; RFC 3986 sections 6.2.2 and 6.2.3): without query and
 * fragment, scheme and host in lower case, without default port and dot segments, and no unreserved character encoded.
 *
 * @returns undefined for a text that is no absolute `http` or `https` URI, or that contains credentials.
 */
export function normalisedTarget(uri: string): string | undefined {
  if (!VISIBLE.test(uri) || !/^https?:\/\/[^/]/i.test(uri) || !URL.canParse(uri)) return undefined;
  const { origin, pathname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return undefined;
  return origin + pathname.replace(ENCODED, normalisedOctet);
}

function normalisedOctet(_: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return UNRESERVED.test(character) ? character : `%${digits.toUpperCase()}`;
}
