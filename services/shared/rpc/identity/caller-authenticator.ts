import { decodeProtectedHeader } from "jose";
import { bearerToken } from "./bearer-token.ts";
import type { CallerAuthenticator } from "./caller.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { TOKEN_TYPE } from "./caller-token.ts";
import { type CallerIssuer, issuerTokenAuthenticator } from "./issuer-token-authenticator.ts";
import { namedKeyAuthenticator } from "./named-key-authenticator.ts";

/** Who may call a service, and how that is proved. */
export interface KnownCallers {
  readonly callerKeys: CallerKeys;
  /** Who vouches for callers beside the keys. */
  readonly callerIssuer?: CallerIssuer | undefined;
}

/**
 * Authenticates callers by named keys and, where there is an issuer, by its tokens.
 *
 * @param audience the service's own name.
 */
export function callerAuthenticator({ callerKeys, callerIssuer }: KnownCallers, audience: string): CallerAuthenticator {
  const byKey = namedKeyAuthenticator({ keys: callerKeys, audience });
  if (callerIssuer === undefined) return byKey;
  const byIssuer = issuerTokenAuthenticator({ ...callerIssuer, audience });
  return {
    authenticate: async (authorization) => (isOfNamedKey(authorization) ? byKey : byIssuer).authenticate(authorization),
  };
}

/** What a token says that it is; each authenticator believes only its own kind. */
function isOfNamedKey(authorization: string | undefined): boolean {
  try {
    return decodeProtectedHeader(bearerToken(authorization, Number.POSITIVE_INFINITY)).typ === TOKEN_TYPE;
  } catch {
    return false;
  }
}
