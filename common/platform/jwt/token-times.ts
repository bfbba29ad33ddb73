import { errors, type JWTPayload } from "jose";

/**
 * The accepted difference between the clocks of two machines, in seconds: a token may be issued so far in the future. Each
 * process takes no calls beyond 30 s from its database's clock, so two that do are no further apart.
 */
export const CLOCK_TOLERANCE_S = 60;
/**
 * The time after its expiry in which a token is still accepted, in seconds. The tolerance doesn't lengthen a token's life: those
 * who send one renew it a minute before it expires, or have just got it.
 */
const EXPIRY_TOLERANCE_S = 5;

/** Whether a token has expired. @param nowMs milliseconds since 1970 */
export function hasExpired({ exp = 0 }: JWTPayload, nowMs: number): boolean {
  return exp + EXPIRY_TOLERANCE_S <= Math.floor(nowMs / 1_000);
}

/** Whether a token, whose signature is right, was refused for its times. */
export function isOutOfTime(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true;
  const isTime = error instanceof errors.JWTClaimValidationFailed && (error.claim === "iat" || error.claim === "nbf");
  return isTime && error.reason === "check_failed";
}
