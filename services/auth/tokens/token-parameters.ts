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
  /** Undefined only where the request may leave it out: the token identifies the client. */
  readonly clientUuid: string | undefined;
  /** The scopes of the new access token; undefined for all that were granted. */
  readonly scopes: readonly string[] | undefined;
}

/** A revocation (RFC 7009 section 2.1). */
export interface TokenRevocation {
  readonly token: string;
  readonly clientUuid: string | undefined;
}

/** The credentials of confidential clients (RFC 6749 section 2.3.1, RFC 7521 section 4.2). No client has any. */
const CREDENTIALS = ["client_secret", "client_assertion"];
const CLIENT_PARAMETERS = ["client_id", ...CREDENTIALS];
const GRANT_PARAMETERS = ["grant_type", "code", "code_verifier", "redirect_uri", "refresh_token", "scope"];
const REVOCATION_PARAMETERS = ["token", "token_type_hint"];
/** The characters of codes and refresh tokens (RFC 6749 appendices A.11 and A.17). */
const PRINTABLE = /^[ -~]+$/;

/**
 * Reads the parameters of a token request.
 *
 * @param clientOptional whether a refresh may leave out its client; an exchange always may
 * @throws OAuthError
 */
export function readTokenParameters(parameters: OAuthParameters, clientOptional = false): CodeExchange | TokenRefresh {
  parameters.refuseDuplicates([...CLIENT_PARAMETERS, ...GRANT_PARAMETERS]);
  const clientUuid = readClientUuid(parameters);
  switch (parameters.required("grant_type")) {
    case "authorization_code":
      return readCodeExchange(parameters, clientUuid);
    case "refresh_token":
      return readTokenRefresh(parameters, clientUuid, clientOptional);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
}

/** Reads the parameters of a revocation request. @throws OAuthError */
export function readRevocation(parameters: OAuthParameters): TokenRevocation {
  parameters.refuseDuplicates([...CLIENT_PARAMETERS, ...REVOCATION_PARAMETERS]);
  const clientUuid = readClientUuid(parameters);
  return { token: printable(parameters, "token"), clientUuid };
}

function readCodeExchange(parameters: OAuthParameters, clientUuid: string | undefined): CodeExchange {
  const code = printable(parameters, "code");
  const codeVerifier = parameters.required("code_verifier");
  if (!isCodeVerifier(codeVerifier)) {
    throw new OAuthError("invalid_request", "code_verifier must be 43 to 128 unreserved characters (RFC 7636)");
  }
  return {
    grantType: "authorization_code",
    code,
    codeVerifier,
    clientUuid,
    redirectUri: parameters.optional("redirect_uri"),
  };
}

function readTokenRefresh(
  parameters: OAuthParameters,
  clientUuid: string | undefined,
  clientOptional: boolean,
): TokenRefresh {
  const refreshToken = printable(parameters, "refresh_token");
  if (clientUuid === undefined && !clientOptional) throw new OAuthError("invalid_request", "client_id is missing");
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

/**
 * Reads the client that a request names, before anything else is judged.
 *
 * @returns undefined where the request names none.
 * @throws OAuthError `invalid_client` for an ID that no client can have, and for a secret.
 */
function readClientUuid(parameters: OAuthParameters): string | undefined {
  const credential = CREDENTIALS.find((name) => parameters.optional(name) !== undefined);
  if (credential !== undefined) {
    throw new OAuthError("invalid_client", `clients are public: send client_id without ${credential}`);
  }
  const clientId = parameters.optional("client_id");
  const uuid = clientId === undefined ? undefined : parseUuid(clientId);
  if (clientId !== undefined && uuid === undefined) throw new OAuthError("invalid_client", "client_id must be a UUID");
  return uuid;
}
