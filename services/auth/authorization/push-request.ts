import { OAuthError } from "../base/oauth-error.ts";
import { type OAuthParameter, OAuthParameters } from "../base/oauth-parameters.ts";
import { requestedRedirectUri } from "./authorization-parameters.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";
import { keptParameters, newRequestUri } from "./pushed-request.ts";
import { insertPushedRequest } from "./pushed-requests-store.ts";
import { pushingClient } from "./pushing-client.ts";
import { readRequest } from "./read-request.ts";

/**
 * Stores an authorization request that its client sends in advance, after the checks of an authorization that begins (RFC 9126
 * section 2.1).
 *
 * @returns the `request_uri` from which one authorization of this client may begin
 * @throws OAuthError as `pushingClient`, and for a request that would be refused at the authorization endpoint
 * @throws ServiceError `unavailable`
 */
export async function pushRequest(deps: AuthorizationDependencies, sent: readonly OAuthParameter[]): Promise<string> {
  const parameters = new OAuthParameters(sent);
  const client = await pushingClient(deps, parameters);
  if (parameters.optional("request_uri") !== undefined) {
    throw new OAuthError("invalid_request", "request_uri must not be pushed");
  }
  const nowMs = deps.clock();
  await readRequest(deps, parameters, { client, redirectUri: requestedRedirectUri(parameters, client) }, nowMs);
  const requestUri = newRequestUri();
  const request = { clientUuid: client.uuid, parameters: keptParameters(sent, client.uuid) };
  await deps.database.write((transaction) => insertPushedRequest(transaction, requestUri, request, nowMs));
  return requestUri;
}
