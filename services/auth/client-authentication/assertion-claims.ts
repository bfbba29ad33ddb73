import type { JWTPayload } from "jose";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { ASSERTION_CLOCK_TOLERANCE_S, ASSERTION_LIFETIME_S } from "../base/lifetimes.ts";
import { invalidAssertion } from "./invalid-assertion.ts";

/** Values with which the claims of an assertion are compared. */
export interface AssertionExpectation {
  readonly clientUuid: string;
  /** The only accepted audience. */
  readonly issuer: string;
  readonly nowMs: bigint;
}

/** The identity of an assertion that is valid now. */
export interface ValidAssertion {
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
export function checkAssertionClaims(claims: JWTPayload, expected: AssertionExpectation): ValidAssertion {
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
