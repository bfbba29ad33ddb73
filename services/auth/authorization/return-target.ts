import type { Client } from "../applications/application.ts";
import { obstaclesOf } from "../applications/application-readiness.ts";
import { findClient } from "../applications/applications-store.ts";
import { matchesRedirectUri } from "../applications/definition/redirect-uri.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { requestedClientUuid, requestedRedirectUri } from "./authorization-parameters.ts";
import type { ReturnTarget } from "./authorization-request.ts";

/**
 * Reads the client and the redirect URI of a request.
 *
 * @throws OAuthError after which the browser must not be redirected.
 */
export async function requestedTarget(database: AuthDatabase, parameters: OAuthParameters): Promise<ReturnTarget> {
  const client = await findClient(database, requestedClientUuid(parameters));
  if (client === undefined) throw new OAuthError("invalid_client", "client_id is unknown");
  return { client, redirectUri: requestedRedirectUri(parameters, client) };
}

/** Returns the target of a stored request; undefined if the client has changed so that it is no longer valid. */
export function currentTarget(client: Client | undefined, redirectUri: string): ReturnTarget | undefined {
  if (client === undefined || obstaclesOf(client).length > 0) return undefined;
  const matches = matchesRedirectUri(client.definition.redirectUris, client.tenancy, redirectUri);
  return matches ? { client, redirectUri } : undefined;
}
