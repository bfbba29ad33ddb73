import type { AuthorizationStep, RequestingClient } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthDependencies } from "../web/auth/auth-dependencies.ts";
import { AUTH_PATHS } from "../web/auth/auth-paths.ts";
import { peerOf } from "../web/auth/request-peer.ts";
import type { AuthContext } from "../web/http/hono-context.ts";
import { authorizationErrorPage } from "../web/pages/error-page.ts";
import { showPage } from "../web/pages/layout.ts";
import { cookiesMissing } from "../web/pages/page-error.ts";

type Step = AuthorizationStep["step"];

/** Where an authorization under way is taken up again. */
export function authorizationUrl(handle: string): string {
  return `${AUTH_PATHS.continue}?${new URLSearchParams({ authorization: handle })}`;
}

/** Sends the browser where a step says: to the page of the authorization, to the application, or an error page. */
export function followStep(c: AuthContext, step: Step) {
  switch (step.case) {
    case "signIn":
    case "consent":
      return c.redirect(authorizationUrl(step.value.authorizationHandle), 303);
    case "redirect":
      return c.redirect(step.value.url, 303);
    case "error":
      return showPage(c, authorizationErrorPage(step.value));
    case undefined:
      throw new TypeError("AuthorizationStep.step is missing");
  }
}

/** The step that an authorization under way is at. @throws PageError where the browser takes no cookies */
export async function currentStep(c: AuthContext, dependencies: AuthDependencies, handle: string): Promise<Step> {
  const { clients, cookies } = dependencies;
  const browserToken = cookies.browserToken(c);
  if (browserToken === undefined) throw cookiesMissing();
  const sessionToken = cookies.sessionToken(c) ?? "";
  const request = { authorizationHandle: handle, browserToken, sessionToken, peer: peerOf(c, dependencies) };
  const { step } = await clients.authorization.continueAuthorization(request);
  return step?.step ?? { case: undefined };
}

/**
 * What a sign-in finds of the authorization that it is for: the application that asks; or, for a user who has signed in
 * since, perhaps in another tab, the way on, which must be taken as it may hold the answer.
 *
 * @param authorization empty for a sign-in that is for none
 */
export async function signInTarget(
  c: AuthContext,
  dependencies: AuthDependencies,
  authorization: string,
): Promise<{ readonly client?: RequestingClient | undefined; readonly wayOn?: Response }> {
  if (authorization === "") return {};
  const step = await currentStep(c, dependencies, authorization);
  return step.case === "signIn" ? { client: step.value.client } : { wayOn: await followStep(c, step) };
}
