import type { OAuthError } from "../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { OAuthAnswerError } from "./oauth-error.ts";

/** Returns the error of an endpoint at which clients authenticate (RFC 6749 section 5.2). */
export function clientError({
  error,
  errorDescription,
}: Pick<OAuthError, "error" | "errorDescription">): OAuthAnswerError {
  return new OAuthAnswerError(error, errorDescription, { status: error === "invalid_client" ? 401 : 400 });
}

/**
 * Refuses a client that authenticates by HTTP Basic: no client has a secret, and the answer must be a 401 with a challenge of
 * that scheme (RFC 6749 section 5.2). The auth service refuses a secret in the body.
 */
export function refuseClientSecret(c: AuthContext): void {
  if (!/^basic(?: |$)/i.test(c.req.header("authorization") ?? "")) return;
  const description =
    "no client has a secret: send client_id, or client_assertion (private_key_jwt), and no Authorization";
  throw new OAuthAnswerError("invalid_client", description, {
    status: 401,
    headers: { "WWW-Authenticate": 'Basic realm="tidemark"' },
  });
}
