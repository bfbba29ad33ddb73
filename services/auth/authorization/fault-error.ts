import { Code } from "@connectrpc/connect";
import type { MapError } from "../../../common/platform/rpc/error-interceptor.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";

/**
 * Returns the error for a client whose request failed through no fault of its own (RFC 6749 section 4.1.2.1).
 *
 * @param mapError logs an internal error under the ID that its message then has.
 */
export function faultError(fault: unknown, mapError: MapError): OAuthError {
  const { code, rawMessage } = mapError(fault);
  if (code === Code.ResourceExhausted)
    return new OAuthError("temporarily_unavailable", "too many requests, try again later");
  if (code === Code.Internal) return new OAuthError("server_error", rawMessage);
  return new OAuthError("server_error", "the request can't be decided now, try again later");
}
