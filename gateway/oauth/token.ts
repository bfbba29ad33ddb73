import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { type DpopRequests, hasProof } from "../web/sessions/dpop-requests.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import type { TokenRequests } from "../web/sessions/token-requests.ts";
import { withNamedClient } from "./client-parameters.ts";
import { clientError } from "./oauth-error.ts";
import { bodyParameters } from "./parameters.ts";

/** `POST /oauth/token`: exchanges a code or refreshes (RFC 6749 sections 4.1.3 and 6). */
export async function issueTokens(
  c: AuthContext,
  dependencies: AuthDependencies,
  requests: TokenRequests,
  dpopRequests: DpopRequests,
): Promise<Response> {
  const dpop = hasProof(c) ? await dpopRequests.proofOf(c, dependencies.config.authUrl) : undefined;
  const parameters = withNamedClient(c, await bodyParameters(c));
  // Requests are counted by address. Nobody is mailed, so nothing needs browser or language.
  const peer = { address: dependencies.config.trustedProxies.addressOf(c.env.incoming) };
  const result = await requests.issue(dpop === undefined ? { parameters, peer } : { parameters, peer, dpop });
  if (result.case === "tokens") {
    const { accessToken, expiresInSeconds, refreshToken, scope, tokenType, idToken } = result.value;
    return c.json({
      access_token: accessToken,
      token_type: tokenType === "" ? "Bearer" : tokenType,
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope,
      ...(idToken === "" ? {} : { id_token: idToken }),
    });
  }
  if (result.case === "error") throw clientError(result.value, c);
  throw new TypeError("IssueTokensResponse.result is missing");
}

/**
 * `POST /oauth/revoke` (RFC 7009): answers with an empty body, also where the token was revoked already or never
 * valid.
 */
export async function revokeToken(c: AuthContext, dependencies: AuthDependencies): Promise<Response> {
  const parameters = withNamedClient(c, await bodyParameters(c));
  const { error } = await dependencies.clients.authorization.revokeToken({ parameters, peer: peerOf(c, dependencies) });
  if (error !== undefined) throw clientError(error, c);
  return c.body(null, 200);
}
