import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { SignJWT } from "jose";
import { CLOCK_TOLERANCE_S } from "../../jwt/token-times.ts";
import { toServiceError } from "../errors.ts";
import { TOKEN_TIME_RULE } from "./bearer-token.ts";
import type { CallerCredentials, CallerProof } from "./caller-keys.ts";
import { callerTokenFileSource } from "./caller-token-file.ts";

export const TOKEN_ALGORITHM = "HS256";
/** `typ` of caller tokens, which distinguishes them from tokens for other purposes (RFC 8725 section 3.11). */
export const TOKEN_TYPE = "tidemark-caller+jwt";

const LIFETIME_S = 300;
/** The time before its expiry at which a token is renewed, so that it is still valid when it arrives where a clock is ahead. */
const RENEWAL_S = CLOCK_TOLERANCE_S;

/**
 * Adds a short-lived token of the caller to every call. One token is used for many calls. A unary call whose token is refused
 * for its times is `unavailable`, as it ends when the clocks are set right: the token is valid by this process's.
 */
export function callerInterceptor(proof: CallerProof): Interceptor {
  const token = "tokenFile" in proof ? callerTokenFileSource(proof) : tokenSource(proof);
  return (next) => async (request) => {
    request.header.set("authorization", `Bearer ${await token()}`);
    return next(request).catch((error: unknown) => Promise.reject(clockFailure(error) ?? error));
  };
}

function clockFailure(error: unknown): ConnectError | undefined {
  const isTime = toServiceError(error)?.violations.some(({ rule }) => rule === TOKEN_TIME_RULE) ?? false;
  const message = "the clocks of this process and of the called service are too far apart";
  return isTime ? new ConnectError(message, Code.Unavailable, undefined, undefined, error) : undefined;
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
