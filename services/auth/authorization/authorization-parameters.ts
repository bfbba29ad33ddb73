import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { Client } from "../applications/application.ts";
import { obstaclesOf } from "../applications/application-readiness.ts";
import { matchesRedirectUri } from "../applications/definition/redirect-uri.ts";
import { isBase64urlOf32Bytes } from "../base/base64url.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { OPENID, parseScope, requestedScopes } from "../base/oauth/scope.ts";
import { isCodeChallenge } from "../tokens/pkce.ts";
import { OPENID_PARAMETERS, type OpenIdParameters, readOpenIdParameters } from "./openid-parameters.ts";

/** The parameters of an authorization request, without client and redirect URI. */
export interface AuthorizationParameters extends OpenIdParameters {
  /** `openid` and names of the client's scopes. */
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly codeChallenge: string;
  readonly keyThumbprint: string | undefined;
}

/**
 * The parameters of an authorization request. Those of a pushed request are kept, all others are not, so a parameter that is read
 * anywhere belongs here.
 */
export const KNOWN_PARAMETERS: readonly string[] = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "dpop_jkt",
  "request",
  "request_uri",
  ...OPENID_PARAMETERS,
];
/** 1 to 2,000 characters of printable ASCII (RFC 6749 appendix A.5). */
const STATE = /^[ -~]{1,2000}$/;

/**
 * Reads the client of a request.
 *
 * @throws OAuthError where `client_id` is missing, repeated or no UUID.
 */
export function requestedClientUuid(parameters: OAuthParameters): string {
  const uuid = parseUuid(parameters.required("client_id"));
  if (uuid === undefined) throw new OAuthError("invalid_request", "client_id must be a UUID");
  return uuid;
}

/**
 * Reads the redirect URI of a request, which may be missing if the client has only one, but not with the scope `openid`
 * (OpenID Connect Core section 3.1.2.1). After an error here, the browser must not be redirected (RFC 6749 section 4.1.2.1).
 *
 * @throws OAuthError for a client that can't sign users in, and for a redirect URI that isn't registered.
 */
export function requestedRedirectUri(parameters: OAuthParameters, client: Client): string {
  const obstacles = obstaclesOf(client);
  if (obstacles.length > 0) throw new OAuthError("unauthorized_client", `the client ${obstacles.join(", ")}`);
  const registered = client.definition.redirectUris;
  const requested = parameters.optional("redirect_uri");
  if (requested === undefined && parameters.names("scope").includes(OPENID)) {
    throw new OAuthError("invalid_request", "redirect_uri is missing, and the scope openid needs it");
  }
  const [only, ...others] = registered;
  if (requested === undefined && only !== undefined && others.length === 0) return only;
  if (requested === undefined) {
    throw new OAuthError("invalid_request", "redirect_uri is missing, and the client has several");
  }
  if (matchesRedirectUri(registered, client.tenancy, requested)) return requested;
  throw new OAuthError("invalid_request", "redirect_uri must be one of the registered, as an exact string");
}

/** The `state` for an error response: undefined if it was sent more than once or has an unprintable character. */
export function echoedState(parameters: OAuthParameters): string | undefined {
  try {
    return readState(parameters);
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

/**
 * Reads all other parameters. The order of the checks decides which error is reported.
 *
 * @throws OAuthError
 */
export function readAuthorizationParameters(parameters: OAuthParameters, client: Client): AuthorizationParameters {
  parameters.refuseDuplicates(KNOWN_PARAMETERS);
  refuseRequestObjects(parameters);
  checkResponse(parameters);
  const [state, codeChallenge] = [readState(parameters), readCodeChallenge(parameters)];
  const keyThumbprint = readKeyThumbprint(parameters);
  const scopes = readScopes(parameters, client);
  const request = { state, codeChallenge, keyThumbprint, scopes };
  return { ...request, ...readOpenIdParameters(parameters, scopes.includes(OPENID)) };
}

/** Refuses request objects: RFC 9101 section 6.1 wants an error for them, so they can't be ignored. */
function refuseRequestObjects(parameters: OAuthParameters): void {
  if (parameters.optional("request") !== undefined) {
    throw new OAuthError("request_not_supported", "request is not supported: send the parameters themselves");
  }
  if (parameters.optional("request_uri") !== undefined) {
    throw new OAuthError("request_uri_not_supported", "request_uri is not supported: send the parameters themselves");
  }
}

function checkResponse(parameters: OAuthParameters): void {
  if (parameters.required("response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code");
  }
  const mode = parameters.optional("response_mode");
  if (mode !== undefined && mode !== "query") throw new OAuthError("invalid_request", "response_mode must be query");
}

/** Reads the `state` of an authorization or logout request. @throws OAuthError `invalid_request` */
export function readState(parameters: OAuthParameters): string | undefined {
  const state = parameters.optional("state");
  if (state === undefined || STATE.test(state)) return state;
  throw new OAuthError("invalid_request", "state must be at most 2000 characters of printable ASCII");
}

/** Requires PKCE with S256, also if no method is named. RFC 7636 section 4.3 would default to `plain`, which is refused. */
function readCodeChallenge(parameters: OAuthParameters): string {
  const challenge = parameters.required("code_challenge");
  const method = parameters.optional("code_challenge_method");
  if (method !== undefined && method !== "S256") {
    throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  }
  if (isCodeChallenge(challenge)) return challenge;
  throw new OAuthError("invalid_request", "code_challenge must be 43 characters of base64url (S256)");
}

/** Reads the key that the code will be bound to (RFC 9449 section 10). */
function readKeyThumbprint(parameters: OAuthParameters): string | undefined {
  const thumbprint = parameters.optional("dpop_jkt");
  if (thumbprint === undefined || isBase64urlOf32Bytes(thumbprint)) return thumbprint;
  throw new OAuthError("invalid_request", "dpop_jkt must be a SHA-256 thumbprint, 43 characters of base64url");
}

function readScopes(parameters: OAuthParameters, { definition }: Client): readonly string[] {
  const named = parseScope(parameters.optional("scope"));
  const allowed = new Set([OPENID, ...definition.scopes.map(({ scope }) => scope)]);
  if (named?.some((scope) => !allowed.has(scope))) {
    throw new OAuthError("invalid_scope", "scope names what the client is not configured for");
  }
  const requested = requestedScopes(definition.scopes, named).map(({ scope }) => scope);
  const scopes = named?.includes(OPENID) ? [OPENID, ...requested] : requested;
  if (scopes.length > 0) return scopes;
  throw new OAuthError("invalid_scope", "scope must name openid or what the client is configured for");
}
