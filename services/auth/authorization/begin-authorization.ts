import { Code } from "@connectrpc/connect";
import type { MapError } from "../../../common/platform/rpc/error-interceptor.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { OPENID, requestedScopes } from "../base/oauth/scope.ts";
import { type AuthorizationDecision, decideAuthorization } from "./authorization-decision.ts";
import { echoedState } from "./authorization-parameters.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { findAuthorizationRequest, insertAuthorizationRequest } from "./authorization-requests-store.ts";
import { codeUrl, errorUrl, type ResponseAddress } from "./authorization-response.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type ClientSession, findClientSession } from "./client-session-store.ts";
import { grantCode } from "./grant-code.ts";
import { judgeSignIn, type UnfitVerdict } from "./judge-sign-in.ts";
import { wantsNoPage } from "./openid-parameters.ts";
import { requirePushed } from "./pushed-request.ts";
import { readRequest } from "./read-request.ts";
import { requestedTarget } from "./return-target.ts";

export interface AuthorizationBeginning {
  readonly parameters: OAuthParameters;
  readonly browserToken: string;
  /** Empty for none. */
  readonly sessionToken: string;
  /** The network address of the browser; empty if it isn't known. */
  readonly peerAddress: string;
  /** The handle of an authorization whose request was pushed; absent for one whose request the browser brings. */
  readonly pushedHandle?: string;
  /** Maps a fault to the error of the RPC, and logs an internal one. */
  readonly mapError: MapError;
}

/** A checked request, with the session of the browser. */
export interface CheckedRequest {
  readonly target: ReturnTarget;
  readonly request: AuthorizationRequest;
  readonly session: ClientSession | undefined;
  readonly browserToken: string;
  readonly peerAddress: string;
  /** Whether the request has `prompt=none`. */
  readonly silent: boolean;
  /** The handle under which it is stored; undefined for a new one. */
  readonly pushedHandle?: string | undefined;
  /** The account with which the user has chosen to go on. */
  readonly chosenAccountUuid?: string | undefined;
}

/**
 * Checks an authorization request (RFC 6749 section 4.1.1) and returns the next step of the browser. With `prompt=none` that
 * is a redirect, also after a fault, once client and redirect URI are known to be right.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function beginAuthorization(
  context: AuthContext,
  beginning: AuthorizationBeginning,
): Promise<AuthorizationStep> {
  const { parameters } = beginning;
  const target = await resultOrOAuthError(() => requestedTarget(context.database, parameters));
  if (target instanceof OAuthError) return { kind: "error", reason: "untrusted", error: target };
  if (!wantsNoPage(parameters)) return stepFor(context, beginning, target);
  try {
    return await stepFor(context, beginning, target);
  } catch (fault) {
    // Nobody would see a page about it: the client waits for an answer.
    const error = faultError(fault, beginning.mapError);
    return { kind: "redirect", url: errorUrl(addressOf(context, parameters, target), error) };
  }
}

/** Checks the rest of a request whose client and redirect URI are right. */
async function stepFor(
  context: AuthContext,
  { parameters, browserToken, sessionToken, peerAddress, pushedHandle }: AuthorizationBeginning,
  target: ReturnTarget,
): Promise<AuthorizationStep> {
  const nowMs = context.clock();
  const session = await findClientSession(context.database, { sessionToken, clientUuid: target.client.uuid }, nowMs);
  const silent = wantsNoPage(parameters);
  const read = await resultOrOAuthError(async () => {
    requirePushed(target.client, pushedHandle !== undefined);
    return readRequest(context, parameters, target, nowMs);
  });
  if (read instanceof OAuthError) {
    return refusedStep(addressOf(context, parameters, target), target, read, silent || session !== undefined);
  }
  return nextStep(context, { target, request: read, session, browserToken, peerAddress, silent, pushedHandle }, nowMs);
}

/** The address of an error response, even where the request has other errors. */
function addressOf(
  { issuer }: AuthContext,
  parameters: OAuthParameters,
  { redirectUri }: ReturnTarget,
): ResponseAddress {
  return { redirectUri, state: echoedState(parameters), issuer };
}

async function resultOrOAuthError<Result>(work: () => Promise<Result>): Promise<Result | OAuthError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

/** Shows a page before the redirect, unless the user has signed in or `prompt` is `none` (RFC 9700 section 4.11.2). */
function refusedStep(
  address: ResponseAddress,
  target: ReturnTarget,
  error: OAuthError,
  redirects: boolean,
): AuthorizationStep {
  const url = errorUrl(address, error);
  if (redirects) return { kind: "redirect", url };
  return { kind: "error", reason: "refused", error, target, redirectUrl: url };
}

/** Returns the first step of a checked request. @throws ServiceError `resource_exhausted`, `unavailable` */
export async function nextStep(
  context: AuthContext,
  checked: CheckedRequest,
  nowMs: bigint,
): Promise<AuthorizationStep> {
  const { target, request, session, silent } = checked;
  const address: ResponseAddress = { ...request, issuer: context.issuer };
  const decision = await decisionFor(context, checked, nowMs);
  if (decision.kind === "grant" && session !== undefined) {
    const code = await grantCode(context, { target, request, session, scopes: decision.scopes }, nowMs);
    if (code !== undefined) return { kind: "redirect", url: codeUrl(address, code) };
  }
  if (silent) return { kind: "redirect", url: errorUrl(address, silentError(decision)) };
  return pageStep(context, checked, decision);
}

async function decisionFor(
  context: AuthContext,
  checked: CheckedRequest,
  nowMs: bigint,
): Promise<AuthorizationDecision | UnfitVerdict> {
  const verdict = await judgeSignIn(context, checked, nowMs);
  if (verdict.kind !== "fit") return verdict;
  const { target, request } = checked;
  const requested = requestedScopes(target.client.definition.scopes, request.scopes);
  return decideAuthorization(request, requested, verdict.session.consent);
}

/** The error for `prompt=none` (OpenID Connect Core section 3.1.2.6). */
function silentError({ kind }: AuthorizationDecision | UnfitVerdict): OAuthError {
  if (kind === "sign_in" || kind === "wrong_user") {
    return new OAuthError("login_required", "prompt is none, and the user must sign in");
  }
  return new OAuthError("consent_required", "prompt is none, and the user must be asked");
}

/** Stores the request while the user is on a page. @throws ServiceError `resource_exhausted`, `unavailable` */
async function pageStep(
  { database, rateLimits }: AuthContext,
  { target, request, session, browserToken, peerAddress, pushedHandle, chosenAccountUuid }: CheckedRequest,
  decision: AuthorizationDecision | UnfitVerdict,
): Promise<AuthorizationStep> {
  await rateLimits.take("authorize_page_address", peerAddress, request.clientUuid);
  const handle = await database.write(async (transaction) => {
    // An attempt whose outcome was lost has stored it.
    if (pushedHandle !== undefined && (await findAuthorizationRequest(transaction, pushedHandle))) return pushedHandle;
    const stored = { ...request, chosenAccountUuid };
    return insertAuthorizationRequest(transaction, database.dialect, browserToken, stored, pushedHandle);
  });
  const asksSession = decision.kind === "consent" || decision.kind === "choose_account";
  if (!asksSession || session === undefined) {
    return { kind: "sign_in", handle, target, loginHint: request.loginHint };
  }
  const user = { handle, target, accountUuid: session.accountUuid, email: session.email };
  if (decision.kind === "choose_account") return { kind: "choose_account", ...user };
  return { kind: "consent", ...user, scopes: decision.scopes, identifies: request.scopes.includes(OPENID) };
}

/**
 * Returns the error for a client whose request failed through no fault of its own (RFC 6749 section 4.1.2.1).
 *
 * @param mapError logs an internal error under the ID that its message then has.
 */
function faultError(fault: unknown, mapError: MapError): OAuthError {
  const { code, rawMessage } = mapError(fault);
  if (code === Code.ResourceExhausted)
    return new OAuthError("temporarily_unavailable", "too many requests, try again later");
  if (code === Code.Internal) return new OAuthError("server_error", rawMessage);
  return new OAuthError("server_error", "the request can't be decided now, try again later");
}
