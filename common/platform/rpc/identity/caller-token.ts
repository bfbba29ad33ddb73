import type { Interceptor } from "@connectrpc/connect";
import { SignJWT } from "jose";
import { CLOCK_TOLERANCE_S } from "../../jwt/token-times.ts";
import type { CallerCredentials, CallerProof } from "./caller-keys.ts";
import { isTokenRefused } from "./caller-refusal.ts";
import { type CallerTokenSource, callerTokenFileSource } from "./caller-token-file.ts";

export const TOKEN_ALGORITHM = "HS256";
/** `typ` of caller tokens, which distinguishes them from tokens for other purposes (RFC 8725 section 3.11). */
export const TOKEN_TYPE = "tidemark-caller+jwt";

const LIFETIME_S = 300;
/** The time before its expiry at which a token is renewed, so that it is still valid when it arrives where a clock is ahead. */
const RENEWAL_S = CLOCK_TOLERANCE_S;

/**
 * Adds a short-lived token of the caller to every call. One token is used for many calls. A unary call whose token is refused
 * is tried once more with a new one, as the clock may have been set since it was made.
 */
export function callerInterceptor(proof: CallerProof): Interceptor {
  const source = "tokenFile" in proof ? callerTokenFileSource(proof) : signedTokenSource(proof);
  return (next) => async (request) => {
    const token = await source.current();
    request.header.set("authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      if (request.stream || !isTokenRefused(error)) throw error;
      const other = await source.instead(token);
      if (other === token) throw error;
      request.header.set("authorization", `Bearer ${other}`);
      return next(request);
    }
  };
}

/** @param now a monotonic clock in milliseconds: when to renew a token must not depend on steps of the wall clock */
export function signedTokenSource(credentials: CallerCredentials, now = () => performance.now()): CallerTokenSource {
  let renewAtMs = Number.NEGATIVE_INFINITY;
  let token = Promise.resolve("");
  const renew = () => {
    renewAtMs = now() + (LIFETIME_S - RENEWAL_S) * 1_000;
    token = signCallerToken(credentials, Math.floor(Date.now() / 1_000));
    return token;
  };
  return {
    current: () => (now() < renewAtMs ? token : renew()),
    instead: async (refused) => ((await token) === refused ? renew() : token),
  };
}

/** Signs a token for calls to the audience. @param issuedAt seconds since 1970 */
export function signCallerToken({ name, key, audience }: CallerCredentials, issuedAt: number): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid: name })
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_S)
    .sign(key);
}
