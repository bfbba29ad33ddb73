import type { OAuthError } from "../base/oauth/oauth-error.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** The redirect URI of a response, with the parameters that every response has. */
export interface ResponseAddress extends Pick<AuthorizationRequest, "redirectUri" | "state"> {
  /** The `iss`, against mix-up attacks (RFC 9207). */
  readonly issuer: string;
}

/** Adds a code to the redirect URI (RFC 6749 section 4.1.2). */
export function codeUrl(address: ResponseAddress, code: string): string {
  return responseUrl(address, { code });
}

/** Adds an error to the redirect URI (RFC 6749 section 4.1.2.1). */
export function errorUrl(address: ResponseAddress, { error, description }: OAuthError): string {
  return responseUrl(address, { error, error_description: description });
}

function responseUrl(
  { redirectUri, state, issuer }: ResponseAddress,
  response: Readonly<Record<string, string>>,
): string {
  return withParameters(redirectUri, { ...response, ...(state === undefined ? {} : { state }), iss: issuer });
}

/** Appends parameters. The registered URI stays unchanged, including its own query. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  return `${uri}${separatorAfter(uri)}${new URLSearchParams(parameters)}`;
}

function separatorAfter(uri: string): string {
  if (!uri.includes("?")) return "?";
  return uri.endsWith("?") || uri.endsWith("&") ? "" : "&";
}
