import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type AuthorizationService,
  type LogoutStep as LogoutStepMessage,
  LogoutStepSchema,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { type EndedAccess, endSignIn } from "../accounts/sign-out.ts";
import type { Client } from "../applications/application.ts";
import { findClient } from "../applications/applications-store.ts";
import { requestingClient } from "../authorization/authorization-step-message.ts";
import type { AuthContext } from "../base/context.ts";
import { caughtOAuthErrorMessage, oauthErrorMessage } from "../base/oauth/oauth-error.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { beginLogout, type LogoutStep } from "./begin-logout.ts";
import { type LogoutReturn, logoutReturn, logoutReturnUrl } from "./logout-parameters.ts";

/** The methods of `AuthorizationService` for sign-outs that an application asks for. */
export function logoutMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof AuthorizationService>, "beginLogout" | "completeLogout"> {
  return {
    async beginLogout({ parameters, sessionToken, peer }) {
      const beginning = { parameters, sessionToken, peerAddress: peer?.address ?? "" };
      return { step: logoutStepMessage(await beginLogout(context, beginning)) };
    },

    async completeLogout({ clientUuid, ...decision }) {
      try {
        const done = await completeLogout(context, { ...decision, clientUuid: clientUuid.toLowerCase() });
        return { returnUrl: done.returnUrl ?? "", tokensEnded: done.tokensEnded };
      } catch (error) {
        return { error: caughtOAuthErrorMessage(error) };
      }
    },
  };
}

function logoutStepMessage(step: LogoutStep): LogoutStepMessage {
  return create(LogoutStepSchema, { step: stepOf(step) });
}

function stepOf(step: LogoutStep) {
  switch (step.kind) {
    case "confirm": {
      const { returnsTo, email, isOtherUser: otherUser } = step;
      const { uri: postLogoutRedirectUri = "", state = "" } = returnsTo ?? {};
      return {
        case: "confirm" as const,
        value: { ...clientOf(step.client, returnsTo), postLogoutRedirectUri, state, email, otherUser },
      };
    }
    case "signed_out": {
      const returnUrl = step.returnsTo === undefined ? "" : logoutReturnUrl(step.returnsTo);
      return { case: "signedOut" as const, value: { ...clientOf(step.client, step.returnsTo), returnUrl } };
    }
    case "error":
      return { case: "error" as const, value: oauthErrorMessage(step.error) };
  }
}

function clientOf(client: Client | undefined, returnsTo: LogoutReturn | undefined) {
  return client === undefined ? {} : { client: requestingClient({ client, redirectUri: returnsTo?.uri }) };
}

/** The user's answer to the page of a logout request. */
interface LogoutDecision {
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
interface CompletedLogout {
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
async function completeLogout(context: AuthContext, decision: LogoutDecision): Promise<CompletedLogout> {
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
