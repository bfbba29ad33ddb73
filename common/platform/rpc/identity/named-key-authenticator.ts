import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { CLOCK_TOLERANCE_S, hasExpired, isOutOfTime } from "../../jwt/token-times.ts";
import { bearerToken, outOfTime, unauthenticated } from "./bearer-token.ts";
import type { CallerAuthenticator } from "./caller.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { TOKEN_ALGORITHM, TOKEN_TYPE } from "./caller-token.ts";
import { type VerifiedToken, VerifiedTokens } from "./verified-tokens.ts";

export interface NamedKeyOptions {
  readonly keys: CallerKeys;
  /** The service's own name. Tokens for other services are refused. */
  readonly audience: string;
}

const MAX_LIFETIME_S = 600;
const MAX_TOKEN_LENGTH = 2_048;

/**
 * Authenticates callers by the tokens of `callerInterceptor`: HS256 only, signed with a key of the name in `kid`, for
 * this audience, with an expiry at most 10 minutes after the issue. Clocks may differ by a minute. Verified tokens are cached
 * until they expire.
 */
export function namedKeyAuthenticator(options: NamedKeyOptions): CallerAuthenticator {
  const verified = new VerifiedTokens((token) => verify(token, options));
  return { authenticate: async (authorization) => verified.callerOf(bearerToken(authorization, MAX_TOKEN_LENGTH)) };
}

async function verify(token: string, { keys, audience }: NamedKeyOptions): Promise<VerifiedToken> {
  const name = keyName(token);
  for (const key of keys.get(name) ?? []) {
    const payload = await verifyWithKey(token, key, audience);
    if (payload !== undefined) return { caller: { name }, expiresAtMs: expiry(payload) * 1_000 };
  }
  throw unauthenticated("the caller token is not valid");
}

function keyName(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? "";
  } catch (error) {
    throw unauthenticated("the caller token is not valid", error);
  }
}

/** Returns the claims of the token; undefined if another key has signed it. */
async function verifyWithKey(token: string, key: Uint8Array, audience: string): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [TOKEN_ALGORITHM],
      typ: TOKEN_TYPE,
      audience,
      requiredClaims: ["exp", "iat"],
      maxTokenAge: MAX_LIFETIME_S,
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    if (hasExpired(payload, Date.now())) throw new errors.JWTExpired("expired", payload, "exp");
    return payload;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
    if (error instanceof errors.JWTExpired) throw outOfTime("the caller token has expired", error);
    if (isOutOfTime(error)) throw outOfTime("the caller token is of a time that has not come", error);
    throw unauthenticated("the caller token is not valid", error);
  }
}

function expiry({ iat = 0, exp = 0 }: JWTPayload): number {
  if (exp - iat <= MAX_LIFETIME_S) return exp;
  throw unauthenticated(`the caller token lives longer than ${MAX_LIFETIME_S} s`);
}
