import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import type { Tenancy } from "../../memberships/read-sale.ts";
import { type PublicJwk, readJwks } from "./public-jwk.ts";
import { redirectUriViolations } from "./redirect-uri.ts";

/**
 * The protections that an application asks for. Their names are those of the client metadata in RFC 7591, 9126 and 9449 and in
 * OpenID Connect.
 */
export interface ClientSecurity {
  /** Whether authorizations begin only from a pushed request (RFC 9126 section 6). */
  readonly requirePushedAuthorizationRequests: boolean;
  /** Whether tokens are issued only bound to a key of the application (RFC 9449 section 5.2). */
  readonly dpopBoundAccessTokens: boolean;
  /** The algorithm that signs its ID tokens. */
  readonly idTokenSignedResponseAlg: "RS256" | "ES256";
  /** How it authenticates at the token endpoint. With `none` its keys authenticate nobody. */
  readonly tokenEndpointAuthMethod: "none" | "private_key_jwt";
  /** Its public keys, at most 8, each with another `kid`. */
  readonly jwks: readonly PublicJwk[];
  /** Where its users may be sent after a sign-out, compared as exact strings. */
  readonly postLogoutRedirectUris: readonly string[];
}

/** The settings of an application that asks for nothing. */
export const DEFAULT_SECURITY: ClientSecurity = {
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  idTokenSignedResponseAlg: "RS256",
  tokenEndpointAuthMethod: "none",
  jwks: [],
  postLogoutRedirectUris: [],
};

const FIELD = "definition.security";

/** Security settings as a founder enters them. */
export interface EnteredSecurity extends Omit<ClientSecurity, "jwks"> {
  /** A JWK set as JSON; empty for none. */
  readonly jwks: string;
}

/** Settings as they are stored, or the reasons why they can't be taken. */
interface CheckedSecurity {
  readonly security: ClientSecurity;
  readonly violations: readonly Violation[];
}

/** Checks security settings and normalises them for the store. */
export function checkSecurity(entered: EnteredSecurity, tenancy: Tenancy): CheckedSecurity {
  const { jwks, violations } = readJwks(entered.jwks, `${FIELD}.jwks`);
  const security = { ...entered, jwks };
  const uris = redirectUriViolations(entered.postLogoutRedirectUris, tenancy, `${FIELD}.post_logout_redirect_uris`);
  const needsKey = entered.tokenEndpointAuthMethod === "private_key_jwt" && jwks.length === 0;
  if (!needsKey || violations.length > 0) return { security, violations: [...violations, ...uris] };
  const noKey = {
    field: `${FIELD}.jwks`,
    rule: "jwks.needed",
    message: "must have a key, as private_key_jwt needs one",
  };
  return { security, violations: [noKey, ...uris] };
}

/**
 * Whether a change could help somebody who isn't the application: it takes a protection away, or decides anew whose keys count
 * as the application's or where users are sent.
 */
export function weakensSecurity(before: ClientSecurity, after: ClientSecurity): boolean {
  return (
    (before.requirePushedAuthorizationRequests && !after.requirePushedAuthorizationRequests) ||
    (before.dpopBoundAccessTokens && !after.dpopBoundAccessTokens) ||
    before.tokenEndpointAuthMethod !== after.tokenEndpointAuthMethod ||
    !isDeepStrictEqual(before.jwks, after.jwks) ||
    !isDeepStrictEqual(before.postLogoutRedirectUris, after.postLogoutRedirectUris)
  );
}
