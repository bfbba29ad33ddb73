import type { Interceptor } from "@connectrpc/connect";
import { SignJWT } from "jose";
import type { CallerCredentials, CallerProof } from "./caller-keys.ts";
import { callerTokenFileSource } from "./caller-token-file.ts";

export const TOKEN_ALGORITHM = "HS256";
/** `typ` of caller tokens, which distinguishes them from tokens for other purposes (RFC 8725 section 3.11). */
export const TOKEN_TYPE = "tidemark-caller+jwt";

const LIFETIME_S = 300;
/** The time before its expiry at which a token is renewed, so that it is still valid when it arrives. */
const RENEWAL_S = 60;

/** Adds a short-lived token of the caller to every call. One token is used for many calls. */
export function callerInterceptor(proof: CallerProof): Interceptor {
  const token = "tokenFile" in proof ? callerTokenFileSource(proof) : tokenSource(proof);
  return (next) => async (request) => {
    request.header.set("authorization", `Bearer ${await token()}`);
    return next(request);
  };
}

function tokenSource(credentials: CallerCredentials): () => Promise<string> {
  let renewAt = 0;
  let token: Promise<string> | undefined;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    if (token === undefined || now >= renewAt) {
      renewAt = now + LIFETIME_S - RENEWAL_S;
      token = signCallerToken(credentials, now);
    }
    return token;
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
