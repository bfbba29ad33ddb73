import { OAuthError } from "../base/oauth-error.ts";
import type { TokenHolder } from "./token-holder.ts";

/**
 * Refuses the paths of existing clients to a client that demands pushed requests. Existing clients can't push, so whoever comes by
 * these paths isn't the application that its founder has in mind. Nothing is used up.
 *
 * @throws OAuthError `unauthorized_client`
 */
export function requireTokenEndpoint(
  { clientOptional }: { readonly clientOptional: boolean },
  { clientDemandsPush }: Pick<TokenHolder, "clientDemandsPush">,
): void {
  if (!clientOptional || !clientDemandsPush) return;
  throw new OAuthError("unauthorized_client", "the client demands pushed requests: use the token endpoint");
}
