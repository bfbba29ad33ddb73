import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { TokenHolder } from "./token-holder.ts";

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
