import { type EndedAccess, endSignIn } from "../accounts/sign-out.ts";
import { findClient } from "../applications/applications-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { logoutReturn, logoutReturnUrl } from "./logout-parameters.ts";

/** The user's answer to the page of a logout request. */
export interface LogoutDecision {
  readonly sessionToken: string;
  /** Empty if the request named none. */
  readonly clientUuid: string;
  /** Empty if the request had none. */
  readonly postLogoutRedirectUri: string;
  readonly state: string;
  readonly endsClientTokens: boolean;
  readonly endsAllTokens: boolean;
}

/** The end of a sign-in. */
export interface CompletedLogout {
  /** The address of the application, if it wants the browser back. */
  readonly returnUrl: string | undefined;
  /** Whether tokens have ended. */
  readonly tokensEnded: boolean;
}

/**
 * Ends the session and the tokens that the user wants ended. The client and its address are checked again, as they may have
 * changed since.
 *
 * @throws OAuthError for an address that isn't registered; then nobody is signed out
 * @throws ServiceError `unavailable`
 */
export async function completeLogout(context: AuthContext, decision: LogoutDecision): Promise<CompletedLogout> {
  const { clientUuid, postLogoutRedirectUri, state, sessionToken } = decision;
  const found = clientUuid === "" ? undefined : await findClient(context.database, clientUuid);
  const client = found?.status === "active" ? found : undefined;
  const returnsTo = logoutReturn(
    new OAuthParameters([
      { name: "post_logout_redirect_uri", value: postLogoutRedirectUri },
      { name: "state", value: state },
    ]),
    client,
  );
  const tokensEnded = await endSignIn(context, sessionToken, endedAccess(decision));
  return { returnUrl: returnsTo && logoutReturnUrl(returnsTo), tokensEnded };
}

function endedAccess({ clientUuid, endsClientTokens, endsAllTokens }: LogoutDecision): EndedAccess {
  if (endsAllTokens) return "all";
  return endsClientTokens && clientUuid !== "" ? { clientUuid } : "none";
}
