import { OAuthError } from "../base/oauth-error.ts";
import { OAuthParameters } from "../base/oauth-parameters.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type AuthorizationBeginning, beginAuthorization } from "./begin-authorization.ts";
import { continueAuthorization } from "./continue-authorization.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";
import { authorizationHandleOf, pushedRequestUri } from "./pushed-request.ts";
import { type UsedRequest, usePushedRequest } from "./use-pushed-request.ts";

/** An authorization that has begun, or could not. */
export interface OpenedAuthorization {
  readonly step: AuthorizationStep;
  /** The `ui_locales` of a pushed request, which the browser didn't send; undefined without one. */
  readonly uiLocales?: string | undefined;
}

/**
 * Begins an authorization from the parameters that the browser brings, or from those that its application has pushed. One
 * authorization begins from a pushed request; a browser that comes again gets the step that it is at.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function openAuthorization(
  deps: AuthorizationDependencies,
  beginning: AuthorizationBeginning,
): Promise<OpenedAuthorization> {
  await deps.rateLimits.take("authorize_address", beginning.peerAddress);
  const { parameters: sent } = beginning;
  const requestUri = pushedRequestUri(sent);
  if (requestUri === undefined) return { step: await beginAuthorization(deps, beginning) };
  try {
    return await openPushed(deps, beginning, requestUri, await usePushedRequest(deps, sent, requestUri));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const reason = error.error === "invalid_request_uri" ? "expired" : "untrusted";
    return { step: { kind: "error", reason, error } };
  }
}

async function openPushed(
  deps: AuthorizationDependencies,
  beginning: AuthorizationBeginning,
  requestUri: string,
  { parameters: pushed, isFirst }: UsedRequest,
): Promise<OpenedAuthorization> {
  const handle = authorizationHandleOf(requestUri);
  const parameters = new OAuthParameters(pushed);
  const step = isFirst
    ? await beginAuthorization(deps, { ...beginning, parameters, pushedHandle: handle })
    : await continueAuthorization(deps, { ...beginning, handle });
  return { step, uiLocales: parameters.single("ui_locales") };
}
