import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { ServiceError } from "../service-error.ts";
import type { Caller, CallerAuthenticator } from "./caller.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { TOKEN_ALGORITHM, TOKEN_TYPE } from "./caller-token.ts";

export interface NamedKeyOptions {
  readonly keys: CallerKeys;
  /** The service's own name: tokens made for another one are refused. */
  readonly audience: string;
}

interface VerifiedToken {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

const CLOCK_TOLERANCE_S = 5;
const MAX_LIFETIME_S = 600;
const MAX_TOKEN_LENGTH = 2_048;
const MAX_CACHED_TOKENS = 1_000;

/**
 * Authenticates callers by the tokens of `callerInterceptor`: HS256 only, signed with a key of the name in `kid`, for
 * this audience, with an expiry at most 10 minutes after its issue. Clocks may differ by 5 s. Tokens that were found
 * good are remembered until they expire.
 */
export function namedKeyAuthenticator(options: NamedKeyOptions): CallerAuthenticator {
  const verified = new Map<string, VerifiedToken>();
  return {
    authenticate: async (authorization) => {
      const token = bearerToken(authorization);
      const known = verified.get(token);
      if (known !== undefined && Date.now() < known.expiresAtMs) return known.caller;
      verified.delete(token);
      const fresh = await verify(token, options);
      remember(verified, token, fresh);
      return fresh.caller;
    },
  };
}

function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
  if (token !== undefined && token.length <= MAX_TOKEN_LENGTH) return token;
  throw unauthenticated("a caller token is required: authorization: Bearer <JWT>");
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

/** Undefined where the key isn't the one that signed. */
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
    return payload;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
    const expired = error instanceof errors.JWTExpired;
    throw unauthenticated(expired ? "the caller token has expired" : "the caller token is not valid", error);
  }
}

function expiry({ iat = 0, exp = 0 }: JWTPayload): number {
  if (exp - iat <= MAX_LIFETIME_S) return exp;
  throw unauthenticated(`the caller token lives longer than ${MAX_LIFETIME_S} s`);
}

/** Only tokens that the holder of a key signed get here, so that strangers can't push others out. */
function remember(verified: Map<string, VerifiedToken>, token: string, fresh: VerifiedToken): void {
  verified.set(token, fresh);
  const [oldest] = verified.keys();
  if (verified.size > MAX_CACHED_TOKENS && oldest !== undefined) verified.delete(oldest);
}

function unauthenticated(message: string, cause?: unknown): ServiceError {
  return new ServiceError("unauthenticated", message, { cause });
}
