import type { OAuthError } from "../base/oauth-error.ts";
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

/** Appends parameters. The registered URI stays unchanged, including its own query. */
function responseUrl(
  { redirectUri, state, issuer }: ResponseAddress,
  response: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...response, ...(state === undefined ? {} : { state }), iss: issuer });
  return `${redirectUri}${separatorAfter(redirectUri)}${parameters}`;
}

function separatorAfter(redirectUri: string): string {
  if (!redirectUri.includes("?")) return "?";
  return redirectUri.endsWith("?") || redirectUri.endsWith("&") ? "" : "&";
}
