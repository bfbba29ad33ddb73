import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { Client } from "../applications/application.ts";
import { readState } from "../authorization/authorization-parameters.ts";
import { withParameters } from "../authorization/authorization-response.ts";
import type { IdTokenHint } from "../base/issued-tokens.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";

/** The place to which the browser returns after a sign-out. */
export interface LogoutReturn {
  /** The target of the redirect: one of the client's post-logout redirect URIs. */
  readonly uri: string;
  readonly state: string | undefined;
}

const KNOWN_PARAMETERS = [
  "id_token_hint",
  "logout_hint",
  "client_id",
  "post_logout_redirect_uri",
  "state",
  "ui_locales",
];

/**
 * Reads the client of a logout request (OpenID Connect RP-Initiated Logout section 2).
 *
 * @param hint undefined where the request has none, or one that can't be verified
 * @returns undefined if nothing names a client
 * @throws OAuthError `invalid_request` for parameters that are sent twice, a malformed client, and one that isn't the hint's
 */
export function logoutClientUuid(parameters: OAuthParameters, hint: IdTokenHint | undefined): string | undefined {
  parameters.refuseDuplicates(KNOWN_PARAMETERS);
  const text = parameters.optional("client_id");
  const named = text === undefined ? undefined : parseUuid(text);
  if (text !== undefined && named === undefined) throw invalidRequest("client_id must be a UUID");
  if (named !== undefined && hint !== undefined && named !== hint.clientUuid) {
    throw invalidRequest("client_id must be the client to which id_token_hint was issued");
  }
  return named ?? hint?.clientUuid;
}

/**
 * Reads where the browser returns to (section 3).
 *
 * @returns undefined if the request doesn't say
 * @throws OAuthError `invalid_request` for an address that isn't registered, after which the browser must not go there
 */
export function logoutReturn(parameters: OAuthParameters, client: Client | undefined): LogoutReturn | undefined {
  const uri = parameters.optional("post_logout_redirect_uri");
  if (uri === undefined) return undefined;
  if (client === undefined) throw invalidRequest("post_logout_redirect_uri needs id_token_hint or client_id");
  if (!client.definition.security.postLogoutRedirectUris.includes(uri)) {
    throw invalidRequest("post_logout_redirect_uri must be one of the registered, as an exact string");
  }
  return { uri, state: readState(parameters) };
}

/** Returns the address after a sign-out, with the `state` of the request. The registered URI stays unchanged. */
export function logoutReturnUrl({ uri, state }: LogoutReturn): string {
  return state === undefined ? uri : withParameters(uri, { state });
}

function invalidRequest(description: string): OAuthError {
  return new OAuthError("invalid_request", description);
}
