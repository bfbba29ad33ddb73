import type { AuthorizationStep, RequestingClient } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { authorizationErrorPage } from "../web/pages/error-page.ts";
import { showPage } from "../web/pages/layout.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { peerOf } from "../web/sessions/request-peer.ts";
import { requestLanguage } from "../web/texts/request-language.ts";

type Step = AuthorizationStep["step"];

/** Returns the address that resumes an authorization. */
export function authorizationUrl(handle: string): string {
  return `${AUTH_PATHS.continue}?${new URLSearchParams({ authorization: handle })}`;
}

/**
 * Answers a step of an authorization: a redirect to its page or to the application, or an error page.
 *
 * @param handle of the authorization on whose other pages this step comes: the error then has the address that resumes it, so that
 *   a reload sends no form again
 */
export function followStep(c: AuthContext, step: Step, handle?: string) {
  switch (step.case) {
    case "signIn":
    case "consent":
    case "chooseAccount":
      return c.redirect(authorizationUrl(step.value.authorizationHandle), 303);
    case "redirect":
      return c.redirect(step.value.url, 303);
    case "error":
      if (handle !== undefined) return c.redirect(authorizationUrl(handle), 303);
      return showPage(c, authorizationErrorPage(step.value, requestLanguage(c.env.incoming)));
    case undefined:
      throw new TypeError("AuthorizationStep.step is missing");
  }
}

/**
 * Returns the current step of an authorization.
 *
 * @param options `repeats`: whether one that was answered begins again. `answering`: whether an answer to the consent page is under
 *   way, so that remembered consent gives no code
 * @throws PageError where the browser refuses cookies
 */
export async function currentStep(
  c: AuthContext,
  dependencies: AuthDependencies,
  handle: string,
  options: { readonly repeats?: boolean; readonly answering?: boolean } = {},
): Promise<Step> {
  const { clients, cookies } = dependencies;
  const browserToken = cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  const sessionToken = cookies.sessionToken(c) ?? "";
  const peer = peerOf(c, dependencies);
  const request = { authorizationHandle: handle, browserToken, sessionToken, peer, ...options };
  const { step } = await clients.authorization.continueAuthorization(request);
  return step?.step ?? { case: undefined };
}

/**
 * Returns the application that a sign-in is for. If the user has signed in since, perhaps in another tab, returns the
 * response to the next step instead. The caller must send that response: it may have the answer to the application.
 *
 * @param authorization empty for a sign-in without an application
 */
export async function signInTarget(
  c: AuthContext,
  dependencies: AuthDependencies,
  authorization: string,
): Promise<{ readonly client?: RequestingClient | undefined; readonly nextStep?: Response }> {
  if (authorization === "") return {};
  const step = await currentStep(c, dependencies, authorization);
  return step.case === "signIn"
    ? { client: step.value.client }
    : { nextStep: await followStep(c, step, authorization) };
}
