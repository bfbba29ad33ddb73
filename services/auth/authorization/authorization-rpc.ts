import type { ServiceImpl } from "@connectrpc/connect";
import { errorMapper } from "../../../common/platform/rpc/error-interceptor.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { PUSHED_REQUEST_LIFETIME_MS } from "../base/lifetimes.ts";
import { caughtOAuthErrorMessage } from "../base/oauth/oauth-error.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { chooseAccount as storeChoice } from "./authorization-requests-store.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { authorizationStepMessage } from "./authorization-step-message.ts";
import { type AuthorizationInBrowser, continueAuthorization } from "./continue-authorization.ts";
import { decideConsent } from "./decide-consent.ts";
import { openAuthorization } from "./open-authorization.ts";
import { pushRequest } from "./push-request.ts";
import { repeatAuthorization } from "./repeat-authorization.ts";
import { answeredStep, resumeAuthorization, useStoredSession } from "./resume-authorization.ts";

/** The methods of `AuthorizationService` that lead a browser through an authorization. */
export function authorizationMethods(
  context: AuthContext,
): Pick<
  ServiceImpl<typeof AuthorizationService>,
  "pushAuthorizationRequest" | "beginAuthorization" | "continueAuthorization" | "decideConsent" | "chooseAccount"
> {
  return {
    async pushAuthorizationRequest({ parameters, peer, dpop }) {
      await context.rateLimits.take("push_address", peer?.address ?? "");
      try {
        const requestUri = await pushRequest(context, parameters, dpop, peer?.address ?? "");
        const expiresInSeconds = Number(PUSHED_REQUEST_LIFETIME_MS / 1_000n);
        return { result: { case: "pushed", value: { requestUri, expiresInSeconds } } };
      } catch (error) {
        return { result: { case: "error", value: caughtOAuthErrorMessage(error) } };
      }
    },

    async beginAuthorization({ parameters: sent, browserToken, sessionToken, peer }, call) {
      const parameters = new OAuthParameters(sent);
      const mapError = errorMapper(context.logger, call);
      const beginning = { parameters, browserToken, sessionToken, peerAddress: peer?.address ?? "", mapError };
      const { step, uiLocales = "" } = await openAuthorization(context, beginning);
      return { step: authorizationStepMessage(step), uiLocales };
    },

    async continueAuthorization({ authorizationHandle: handle, browserToken, sessionToken, peer, repeats, answering }) {
      const browser = { handle, browserToken, sessionToken, answering, peerAddress: peer?.address ?? "" };
      const step = await (repeats ? repeatAuthorization : continueAuthorization)(context, browser);
      return { step: authorizationStepMessage(step) };
    },

    async decideConsent({ authorizationHandle: handle, browserToken, sessionToken, accountUuid, approve, scopes }) {
      const decision = { handle, browserToken, sessionToken, accountUuid: accountUuid.toLowerCase(), approve, scopes };
      return { step: authorizationStepMessage(await decideConsent(context, decision)) };
    },

    async chooseAccount({ authorizationHandle: handle, browserToken, sessionToken, accountUuid }) {
      const choice = { handle, browserToken, sessionToken, accountUuid: accountUuid.toLowerCase() };
      return { step: authorizationStepMessage(await chooseAccount(context, choice)) };
    },
  };
}

interface AccountChoice extends AuthorizationInBrowser {
  /** The account that the page has shown. */
  readonly accountUuid: string;
}

/**
 * Takes the choice to go on with the signed-in account (`prompt=select_account`). A choice of an account that has signed out since
 * changes nothing.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
async function chooseAccount(context: AuthContext, choice: AccountChoice): Promise<AuthorizationStep> {
  const nowMs = context.clock();
  const resumed = await resumeAuthorization(context, choice, nowMs);
  if (resumed.kind === "error") return resumed;
  const session = await useStoredSession(context, resumed, choice, nowMs);
  if (session?.accountUuid !== choice.accountUuid) return continueAuthorization(context, choice);
  const { handle, accountUuid } = choice;
  const stored = await context.database.write((transaction) => storeChoice(transaction, handle, accountUuid, nowMs));
  return stored ? continueAuthorization(context, choice) : answeredStep(resumed);
}
