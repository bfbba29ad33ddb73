import type { OwnToken } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { refuseBasic } from "./client-parameters.ts";
import { clientError } from "./oauth-error.ts";
import { formParameters } from "./parameters.ts";

/**
 * `POST /oauth/introspect` (RFC 7662): tells a confidential client about a token of its own. Of every other token it says only
 * that it isn't active.
 */
export async function introspectToken(c: AuthContext, dependencies: AuthDependencies): Promise<Response> {
  refuseBasic(c);
  const parameters = await formParameters(c);
  const peer = peerOf(c, dependencies);
  const { result } = await dependencies.clients.authorization.introspectOwnToken({ parameters, peer });
  if (result.case === "error") throw clientError(result.value, c);
  return c.json(result.case === "active" ? activeToken(result.value, dependencies.config.authUrl) : { active: false });
}

/** Members of an active token. Those of access tokens alone tell a service that a refresh token isn't one. */
function activeToken(token: OwnToken, issuer: string) {
  const { isAccessToken, audience, tokenId, clientUuid, subject, scope } = token;
  return {
    active: true,
    iss: issuer,
    sub: subject,
    client_id: clientUuid,
    scope,
    iat: seconds(token.issuedAt),
    exp: seconds(token.expiresAt),
    ...(isAccessToken ? { ...confirmation(token), aud: audience, jti: tokenId } : {}),
  };
}

/** The type of an access token, with the key that it is bound to (RFC 9449 section 6.2). */
function confirmation({ keyThumbprint: jkt }: OwnToken) {
  return jkt === "" ? { token_type: "Bearer" } : { token_type: "DPoP", cnf: { jkt } };
}

/** Seconds since 1970, far below 2^53. */
function seconds(timestamp: OwnToken["issuedAt"]): number {
  return Number(timestamp?.seconds ?? 0n);
}
