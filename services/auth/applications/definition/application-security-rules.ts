import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../../../common/platform/errors/service-error.ts";
import type { Tenancy } from "../../memberships/read-sale.ts";
import type { ClientSecurity } from "./application-security.ts";
import { readJwks } from "./public-jwk.ts";
import { redirectUriViolations } from "./redirect-uri.ts";

const FIELD = "definition.security";

/** Security settings as a founder enters them. */
export interface EnteredSecurity extends Omit<ClientSecurity, "jwks"> {
  /** A JWK set as JSON; empty for none. */
  readonly jwks: string;
}

/** Settings as they are stored, or the reasons why they can't be taken. */
export interface CheckedSecurity {
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
