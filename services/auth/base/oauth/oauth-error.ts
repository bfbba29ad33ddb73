import { create } from "@bufbuild/protobuf";
import {
  type OAuthError as OAuthErrorMessage,
  OAuthErrorSchema,
} from "../../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";

/**
 * The error codes of OAuth responses (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1, OpenID Connect Core section
 * 3.1.2.6, RFC 9101 section 7, RFC 9449 sections 5 and 8).
 */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_token"
  | "insufficient_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "invalid_dpop_proof"
  | "use_dpop_nonce"
  | "server_error"
  | "temporarily_unavailable"
  | "login_required"
  | "consent_required"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported"
  | "invalid_request_uri";

/** A request that OAuth answers with an error: a result of the RPC, not a failure of it. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  /**
   * A text for developers that names the parameter and its rule. It is printable ASCII without `"` and `\`, and never
   * contains a value that was sent.
   */
  readonly description: string;

  constructor(error: OAuthErrorCode, description: string) {
    super(`${error}: ${description}`);
    this.name = "OAuthError";
    this.error = error;
    this.description = description;
  }
}

export function oauthErrorMessage({ error, description }: OAuthError): OAuthErrorMessage {
  return create(OAuthErrorSchema, { error, errorDescription: description });
}

/** The message of an OAuth error that was caught. @throws anything else that was caught. */
export function caughtOAuthErrorMessage(error: unknown): OAuthErrorMessage {
  if (error instanceof OAuthError) return oauthErrorMessage(error);
  throw error;
}
