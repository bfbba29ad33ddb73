import type { OAuthError } from "../base/oauth-error.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** Where an answer goes, and what it repeats of the request. */
export interface ResponseAddress extends Pick<AuthorizationRequest, "redirectUri" | "state"> {
  /** `iss`, against mix-up (RFC 9207). */
  readonly issuer: string;
}

/** The redirect URI with a code (RFC 6749 section 4.1.2). */
export function codeUrl(address: ResponseAddress, code: string): string {
  return responseUrl(address, { code });
}

/** The redirect URI with an error (RFC 6749 section 4.1.2.1). */
export function errorUrl(address: ResponseAddress, { error, description }: OAuthError): string {
  return responseUrl(address, { error, error_description: description });
}

/** The registered URI stays as it is, its own query included: the parameters are added at its end. */
function responseUrl(
  { redirectUri, state, issuer }: ResponseAddress,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer });
  return `${redirectUri}${separatorAfter(redirectUri)}${parameters}`;
}

function separatorAfter(redirectUri: string): string {
  if (!redirectUri.includes("?")) return "?";
  return redirectUri.endsWith("?") || redirectUri.endsWith("&") ? "" : "&";
}
