import { decodeProtectedHeader } from "jose";
import { bearerToken } from "./bearer-token.ts";
import type { CallerAuthenticator } from "./caller.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { TOKEN_TYPE } from "./caller-token.ts";
import { type CallerIssuer, type IssuerTokenOptions, issuerTokenAuthenticator } from "./issuer-token-authenticator.ts";
import { namedKeyAuthenticator } from "./named-key-authenticator.ts";

/** The callers of a service, and the means to verify them. */
export interface KnownCallers {
  readonly callerKeys: CallerKeys;
  /** An issuer of further callers' tokens. */
  readonly callerIssuer?: CallerIssuer | undefined;
}

/** Known callers, and the process's parts that the issuer's tokens need. */
export type CallerAuthenticatorOptions = KnownCallers & Pick<IssuerTokenOptions, "lifecycle" | "logger" | "registry">;

/**
 * Authenticates callers by named keys and, if there is an issuer, by its tokens.
 *
 * @param audience the service's own name
 */
export function callerAuthenticator(
  { callerKeys, callerIssuer, lifecycle, logger, registry }: CallerAuthenticatorOptions,
  audience: string,
): CallerAuthenticator {
  const byKey = namedKeyAuthenticator({ keys: callerKeys, audience });
  if (callerIssuer === undefined) return byKey;
  const byIssuer = issuerTokenAuthenticator({ ...callerIssuer, audience, lifecycle, logger, registry });
  return {
    authenticate: async (authorization) => (isOfNamedKey(authorization) ? byKey : byIssuer).authenticate(authorization),
  };
}

/** Whether a token's `typ` says that a named key signed it. Each authenticator accepts only its own kind. */
function isOfNamedKey(authorization: string | undefined): boolean {
  try {
    return decodeProtectedHeader(bearerToken(authorization, Number.POSITIVE_INFINITY)).typ === TOKEN_TYPE;
  } catch {
    return false;
  }
}
