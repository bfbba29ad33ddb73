import { decodeProtectedHeader, type ProtectedHeaderParameters } from "jose";
import { ASSERTION_ALGORITHMS, type AssertionAlgorithm } from "../../../common/platform/jwt/assertion-algorithms.ts";
import { invalidAssertion } from "./invalid-assertion.ts";

export interface AssertionHeader {
  readonly algorithm: AssertionAlgorithm;
  /** Undefined where the assertion names no key. */
  readonly keyId: string | undefined;
}

/** Members that would let an assertion bring its own key, or change what its signature means (RFC 7515 section 4.1). */
const REFUSED_MEMBERS = ["jwk", "jku", "x5u", "x5c", "crit"] as const;
/** The types of JWTs for client authentication. No other kind of JWT may pass for one (RFC 8725 section 3.11). */
const TYPES = ["jwt", "client-authentication+jwt"];

/** Reads the header of an assertion. @throws OAuthError `invalid_client` */
export function readAssertionHeader(assertion: string): AssertionHeader {
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
