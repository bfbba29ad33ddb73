import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type AuthorizationService,
  type LogoutStep as LogoutStepMessage,
  LogoutStepSchema,
} from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { Client } from "../applications/application.ts";
import { requestingClient } from "../authorization/authorization-step-message.ts";
import type { AuthContext } from "../base/context.ts";
import { caughtOAuthErrorMessage, oauthErrorMessage } from "../base/oauth/oauth-error-message.ts";
import { beginLogout } from "./begin-logout.ts";
import { completeLogout } from "./complete-logout.ts";
import { type LogoutReturn, logoutReturnUrl } from "./logout-parameters.ts";
import type { LogoutStep } from "./logout-step.ts";

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
