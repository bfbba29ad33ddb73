import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { parseScope } from "../base/oauth/scope.ts";
import {
  CLIENT_PARAMETERS,
  type ClientCredentials,
  readClientCredentials,
} from "../client-authentication/client-credentials.ts";
import { isCodeVerifier } from "./pkce.ts";

/** An exchange of a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface CodeExchange extends ClientCredentials {
  readonly grantType: "authorization_code";
  readonly code: string;
  readonly codeVerifier: string;
  /** Optional, because the code and its verifier identify the client. */
  readonly clientUuid: string | undefined;
  readonly redirectUri: string | undefined;
  /** Whether it comes by the path of existing clients. */
  readonly clientOptional: boolean;
}

/** A refresh (RFC 6749 section 6). */
export interface TokenRefresh extends ClientCredentials {
  readonly grantType: "refresh_token";
  readonly refreshToken: string;
  /** Undefined only where the request may leave it out: the token identifies the client. */
  readonly clientUuid: string | undefined;
  /** The scopes of the new access token; undefined for all that were granted. */
  readonly scopes: readonly string[] | undefined;
  /** Whether it comes by the path of existing clients. */
  readonly clientOptional: boolean;
}

/** A revocation (RFC 7009 section 2.1). */
export interface TokenRevocation extends ClientCredentials {
  readonly token: string;
}

/** An introspection (RFC 7662 section 2.1). */
export interface TokenIntrospection extends ClientCredentials {
  readonly token: string;
}

const GRANT_PARAMETERS = ["grant_type", "code", "code_verifier", "redirect_uri", "refresh_token", "scope"];
/** The parameters of revocation and introspection. */
const PRESENTED_TOKEN_PARAMETERS = ["token", "token_type_hint"];
/** The characters of codes and refresh tokens (RFC 6749 appendices A.11 and A.17). */
const PRINTABLE = /^[ -~]+$/;

/**
 * Reads the parameters of a token request.
 *
 * @param clientOptional whether the request comes by a path of existing clients, whose refreshes may leave out the client; an
 *   exchange always may
 * @throws OAuthError
 */
export function readTokenParameters(parameters: OAuthParameters, clientOptional = false): CodeExchange | TokenRefresh {
  parameters.refuseDuplicates([...CLIENT_PARAMETERS, ...GRANT_PARAMETERS]);
  const client = readClientCredentials(parameters);
  switch (parameters.required("grant_type")) {
    case "authorization_code":
      return readCodeExchange(parameters, client, clientOptional);
    case "refresh_token":
      return readTokenRefresh(parameters, client, clientOptional);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
}

/** Reads the parameters of a revocation request. @throws OAuthError */
export function readRevocation(parameters: OAuthParameters): TokenRevocation {
  parameters.refuseDuplicates([...CLIENT_PARAMETERS, ...PRESENTED_TOKEN_PARAMETERS]);
  const client = readClientCredentials(parameters);
  return { ...client, token: printable(parameters, "token") };
}

/** Reads the parameters of an introspection request. A token of any form is one that isn't active. @throws OAuthError */
export function readIntrospection(parameters: OAuthParameters): TokenIntrospection {
  parameters.refuseDuplicates([...CLIENT_PARAMETERS, ...PRESENTED_TOKEN_PARAMETERS]);
  const client = readClientCredentials(parameters);
  return { ...client, token: parameters.required("token") };
}

function readCodeExchange(
  parameters: OAuthParameters,
  client: ClientCredentials,
  clientOptional: boolean,
): CodeExchange {
  const code = printable(parameters, "code");
  const codeVerifier = parameters.required("code_verifier");
  if (!isCodeVerifier(codeVerifier)) {
    throw new OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters (RFC 7636)");
  }
  return {
    ...client,
    grantType: "authorization_code",
    code,
    codeVerifier,
    redirectUri: parameters.optional("redirect_uri"),
    clientOptional,
  };
}

function readTokenRefresh(
  parameters: OAuthParameters,
  client: ClientCredentials,
  clientOptional: boolean,
): TokenRefresh {
  const refreshToken = printable(parameters, "refresh_token");
  if (client.clientUuid === undefined && !clientOptional)
    throw new OAuthError("invalid_request", "client_id is missing");
  return {
    ...client,
    grantType: "refresh_token",
    refreshToken,
    scopes: parseScope(parameters.optional("scope")),
    clientOptional,
  };
}

function printable(parameters: OAuthParameters, name: string): string {
  const value = parameters.required(name);
  if (!PRINTABLE.test(value)) throw new OAuthError("invalid_request", `${name} must be printable ASCII`);
  return value;
}
