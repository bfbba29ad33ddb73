import { OAuthError } from "../base/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth-parameters.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { obstaclesOf } from "../clients/client-readiness.ts";
import { findClient } from "../clients/clients-store.ts";
import { matchesRedirectUri } from "../clients/redirect-uri.ts";
import { requestedClientUuid, requestedRedirectUri } from "./authorization-parameters.ts";
import type { ReturnTarget } from "./authorization-request.ts";

/**
 * Who asks, and where the answer goes.
 *
 * @throws OAuthError of a request that must not lead the browser anywhere.
 */
export async function requestedTarget(database: AuthDatabase, parameters: OAuthParameters): Promise<ReturnTarget> {
  const client = await findClient(database, requestedClientUuid(parameters));
  if (client === undefined) throw new OAuthError("invalid_client", "client_id is that of no client");
  return { client, redirectUri: requestedRedirectUri(parameters, client) };
}

/** The target of a request that was begun earlier; undefined where the client doesn't stand for it any more. */
export async function currentTarget(
  database: AuthDatabase,
  { clientUuid, redirectUri }: { readonly clientUuid: string; readonly redirectUri: string },
): Promise<ReturnTarget | undefined> {
  const client = await findClient(database, clientUuid);
  if (client === undefined || obstaclesOf(client).length > 0) return undefined;
  const matches = matchesRedirectUri(client.definition.redirectUris, client.tenancy, redirectUri);
  return matches ? { client, redirectUri } : undefined;
}
