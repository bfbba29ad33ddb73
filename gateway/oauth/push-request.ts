import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { type DpopRequests, hasProof } from "../web/sessions/dpop-requests.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { withNamedClient } from "./client-parameters.ts";
import { clientError } from "./oauth-error.ts";
import { formParameters } from "./parameters.ts";

/** `POST /oauth/par`: stores an authorization request that an application sends in advance (RFC 9126 section 2). */
export async function pushRequest(
  c: AuthContext,
  dependencies: AuthDependencies,
  dpopRequests: DpopRequests,
): Promise<Response> {
  const proof = hasProof(c) ? { dpop: await dpopRequests.proofOf(c, dependencies.config.authUrl) } : {};
  const request = { parameters: withNamedClient(c, await formParameters(c)), peer: peerOf(c, dependencies), ...proof };
  const { result } = await dependencies.clients.authorization.pushAuthorizationRequest(request);
  if (result.case === "error") throw clientError(result.value, c);
  if (result.case !== "pushed") throw new TypeError("PushAuthorizationRequestResponse.result is missing");
  const { requestUri, expiresInSeconds } = result.value;
  return c.json({ request_uri: requestUri, expires_in: expiresInSeconds }, 201);
}
