/** The errors that an OAuth answer names (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1, OpenID Connect Core 3.1.2.6). */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_token"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "login_required"
  | "consent_required"
  | "request_not_supported"
  | "request_uri_not_supported";

/** A request that is refused in the terms of OAuth: a result of the call, not a fault. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  /** For developers: names the parameter and its rule in printable ASCII without `"` and `\`, and nothing that was sent. */
  readonly description: string;

  constructor(error: OAuthErrorCode, description: string) {
    super(`${error}: ${description}`);
    this.name = "OAuthError";
    this.error = error;
    this.description = description;
  }
}
