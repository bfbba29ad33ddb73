import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { AuthDatabase } from "../base/schema.ts";
import type { ClientCredentials } from "../client-authentication/client-credentials.ts";
import { missingAssertion } from "../client-authentication/client-credentials.ts";
import { readClientKeys } from "../client-authentication/client-keys-store.ts";
import type { TokenHolder } from "./token-holder.ts";

type NamedClient = Pick<TokenHolder, "clientIsActive" | "clientIsConfidential">;

/**
 * Checks the client of a request, whose assertion, if it has one, was verified before. It costs a statement only if the request
 * names another client than that of the presented code or token, so for a request that is refused in any case.
 *
 * @param holder the holder of the code or token; undefined for an unknown one.
 * @throws OAuthError `invalid_client` for a client that is unknown or disabled, and for a confidential one that hasn't
 *   authenticated (RFC 6749 section 5.2).
 */
export async function requireNamedClient(
  { database }: { readonly database: AuthDatabase },
  { clientUuid, assertion }: ClientCredentials,
  holder: (NamedClient & Pick<TokenHolder, "clientUuid">) | undefined,
): Promise<void> {
  if (assertion !== undefined) return;
  const isOfHolder = clientUuid === undefined || clientUuid === holder?.clientUuid;
  const client = isOfHolder ? holder : await readNamedClient(database, clientUuid);
  if (clientUuid !== undefined && !client?.clientIsActive) {
    throw new OAuthError("invalid_client", "client_id is unknown, or the client is disabled");
  }
  if (!client?.clientIsConfidential) return;
  throw missingAssertion();
}

async function readNamedClient(database: AuthDatabase, clientUuid: string): Promise<NamedClient | undefined> {
  const client = await database.read((query) => readClientKeys(query, clientUuid));
  return client && { clientIsActive: client.isActive, clientIsConfidential: client.isConfidential };
}

/**
 * Refuses the paths of existing clients to a client that demands pushed requests or DPoP. Existing clients know neither, so whoever
 * comes by these paths isn't the application that its founder has in mind. Nothing is used up.
 *
 * @throws OAuthError `unauthorized_client`
 */
export function requireTokenEndpoint(
  { clientOptional }: { readonly clientOptional: boolean },
  { clientDemandsPush, clientDemandsDpop }: Pick<TokenHolder, "clientDemandsPush" | "clientDemandsDpop">,
): void {
  if (!clientOptional || !(clientDemandsPush || clientDemandsDpop)) return;
  const demand = clientDemandsPush ? "pushed requests" : "DPoP";
  throw new OAuthError("unauthorized_client", `the client demands ${demand}: use the token endpoint`);
}
