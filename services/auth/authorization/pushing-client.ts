import type { Client } from "../applications/application.ts";
import { findClient } from "../applications/applications-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { authenticateClient } from "../client-authentication/authenticate-client.ts";
import { readClientCredentials } from "../client-authentication/client-credentials.ts";
import { missingAssertion } from "../client-authentication/invalid-assertion.ts";

/**
 * Returns the client that pushes a request, authenticated as at the token endpoint (RFC 9126 section 2.1).
 *
 * @throws OAuthError `invalid_client`; `invalid_request` if the request names no client
 */
export async function pushingClient(context: AuthContext, parameters: OAuthParameters): Promise<Client> {
  const credentials = readClientCredentials(parameters);
  const { clientUuid, assertion } = credentials;
  if (clientUuid === undefined) throw new OAuthError("invalid_request", "client_id is missing");
  if (assertion !== undefined) await authenticateClient(context, credentials);
  const client = await findClient(context.database, clientUuid);
  if (client?.status !== "active") {
    throw new OAuthError("invalid_client", "client_id is unknown, or the client is disabled");
  }
  const isConfidential = client.definition.security.tokenEndpointAuthMethod !== "none";
  if (isConfidential && assertion === undefined) throw missingAssertion();
  return client;
}
