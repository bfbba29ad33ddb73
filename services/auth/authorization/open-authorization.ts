import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { requestedClientUuid } from "./authorization-parameters.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type AuthorizationBeginning, beginAuthorization } from "./begin-authorization.ts";
import { continueAuthorization } from "./continue-authorization.ts";
import { authorizationHandleOf, type PushedRequest, pushedRequestUri } from "./pushed-request.ts";
import { findPushedRequest, markPushedRequestUsed } from "./pushed-requests-store.ts";

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
  context: AuthContext,
  beginning: AuthorizationBeginning,
): Promise<OpenedAuthorization> {
  await context.rateLimits.take("authorize_address", beginning.peerAddress);
  const { parameters: sent } = beginning;
  const requestUri = pushedRequestUri(sent);
  if (requestUri === undefined) return { step: await beginAuthorization(context, beginning) };
  try {
    return await openPushed(context, beginning, requestUri, await usePushedRequest(context, sent, requestUri));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const reason = error.error === "invalid_request_uri" ? "expired" : "untrusted";
    return { step: { kind: "error", reason, error } };
  }
}

async function openPushed(
  context: AuthContext,
  beginning: AuthorizationBeginning,
  requestUri: string,
  { parameters: pushed, isFirst }: UsedRequest,
): Promise<OpenedAuthorization> {
  const handle = authorizationHandleOf(requestUri);
  const parameters = new OAuthParameters(pushed);
  const step = isFirst
    ? await beginAuthorization(context, { ...beginning, parameters, pushedHandle: handle })
    : await continueAuthorization(context, { ...beginning, handle });
  return { step, uiLocales: parameters.single("ui_locales") };
}

/** A pushed request from which an authorization may begin. */
interface UsedRequest extends PushedRequest {
  /** Whether an authorization begins from it now; otherwise one has begun before. */
  readonly isFirst: boolean;
}

/**
 * Uses up the pushed request that an authorization request names (RFC 9126 section 4). Of the other parameters only `client_id`
 * counts (RFC 9101 section 5).
 *
 * @throws OAuthError `invalid_request_uri` for one that is unknown, expired or another client's, of which nothing is used up
 */
async function usePushedRequest(
  { database, clock }: AuthContext,
  sent: OAuthParameters,
  requestUri: string,
): Promise<UsedRequest> {
  sent.refuseDuplicates(["client_id", "request"]);
  const clientUuid = requestedClientUuid(sent);
  if (sent.optional("request") !== undefined) {
    throw new OAuthError("invalid_request", "request must not be sent with request_uri");
  }
  const nowMs = clock();
  const pushed = await database.read((query) => findPushedRequest(query, requestUri, nowMs));
  if (pushed?.clientUuid !== clientUuid) {
    throw new OAuthError("invalid_request_uri", "request_uri is unknown or has expired: push the request again");
  }
  const isFirst = await database.write((transaction) => markPushedRequestUsed(transaction, requestUri, nowMs));
  return { ...pushed, isFirst };
}
