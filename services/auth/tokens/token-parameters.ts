import { parseUuid } from "../../shared/encoding/uuid.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth-parameters.ts";
import { parseScope } from "../base/scope.ts";
import { isCodeVerifier } from "./pkce.ts";

/** An exchange of a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface CodeExchange {
  readonly grantType: "authorization_code";
  readonly code: string;
  readonly codeVerifier: string;
  /** Optional, because the code and its verifier identify the client. */
  readonly clientUuid: string | undefined;
  readonly redirectUri: string | undefined;
}

/** A refresh (RFC 6749 section 6). */
export interface TokenRefresh {
  readonly grantType: "refresh_token";
  readonly refreshToken: string;
  readonly clientUuid: string;
  /** The scopes of the new access token; undefined for all that were granted. */
  readonly scopes: readonly string[] | undefined;
}

/** A revocation (RFC 7009 section 2.1). */
export interface TokenRevocation {
  readonly token: string;
  readonly clientUuid: string | undefined;
}

const TOKEN_PARAMETERS = ["grant_type", "client_id", "code", "code_verifier", "redirect_uri", "refresh_token", "scope"];
const REVOCATION_PARAMETERS = ["token", "token_type_hint", "client_id"];
/** The characters of codes and refresh tokens (RFC 6749 appendices A.11 and A.17). */
const PRINTABLE = /^[ -~]+$/;

/** @throws OAuthError */
export function readTokenParameters(parameters: OAuthParameters): CodeExchange | TokenRefresh {
  parameters.refuseDuplicates(TOKEN_PARAMETERS);
  switch (parameters.required("grant_type")) {
    case "authorization_code":
      return readCodeExchange(parameters);
    case "refresh_token":
      return readTokenRefresh(parameters);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
}

/** @throws OAuthError */
export function readRevocation(parameters: OAuthParameters): TokenRevocation {
  parameters.refuseDuplicates(REVOCATION_PARAMETERS);
  return { token: printable(parameters, "token"), clientUuid: optionalClientUuid(parameters) };
}

function readCodeExchange(parameters: OAuthParameters): CodeExchange {
  const code = printable(parameters, "code");
  const codeVerifier = parameters.required("code_verifier");
  if (!isCodeVerifier(codeVerifier)) {
    throw new OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters (RFC 7636)");
  }
  return {
    grantType: "authorization_code",
    code,
    codeVerifier,
    clientUuid: optionalClientUuid(parameters),
    redirectUri: parameters.optional("redirect_uri"),
  };
}

function readTokenRefresh(parameters: OAuthParameters): TokenRefresh {
  const refreshToken = printable(parameters, "refresh_token");
  const clientUuid = uuidOf(parameters.required("client_id"));
  const scope = parameters.optional("scope");
  return {
    grantType: "refresh_token",
    refreshToken,
    clientUuid,
    scopes: scope === undefined ? undefined : parseScope(scope),
  };
}

function printable(parameters: OAuthParameters, name: string): string {
  const value = parameters.required(name);
  if (!PRINTABLE.test(value)) throw new OAuthError("invalid_request", `${name} must be printable ASCII`);
  return value;
}

function optionalClientUuid(parameters: OAuthParameters): string | undefined {
  const text = parameters.optional("client_id");
  return text === undefined ? undefined : uuidOf(text);
}

function uuidOf(clientId: string): string {
  const uuid = parseUuid(clientId);
  if (uuid === undefined) throw new OAuthError("invalid_request", "client_id must be a UUID");
  return uuid;
}
