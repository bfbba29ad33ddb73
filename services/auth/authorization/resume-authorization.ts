import { timingSafeEqual } from "node:crypto";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { type ClientScope, requestedScopes } from "../base/oauth/scope.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import { useSession } from "../sessions/sessions-store.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { findRequestInBrowser, type PendingAuthorization } from "./authorization-requests-store.ts";
import { errorUrl, type ResponseAddress } from "./authorization-response.ts";
import type { AuthorizationStep, ErrorReason, ErrorStep } from "./authorization-step.ts";
import type { ClientSession } from "./client-session-store.ts";
import type { UnfitVerdict } from "./judge-sign-in.ts";
import { currentTarget } from "./return-target.ts";

/** An authorization in the browser that began it. */
export interface ResumedAuthorization {
  readonly kind: "resumed";
  readonly handle: string;
  readonly request: AuthorizationRequest;
  /** The account with which the user has chosen to go on. */
  readonly chosenAccountUuid: string | undefined;
  /** The session of the browser, live or not. */
  readonly storedSession: ClientSession | undefined;
  readonly target: ReturnTarget;
  /** The requested scopes, as the client is configured now. */
  readonly requested: readonly ClientScope[];
  readonly address: ResponseAddress;
  readonly answered: boolean;
  /** Whether the user has taken too long. */
  readonly expired: boolean;
}

type HandleInBrowser = Readonly<Record<"handle" | "browserToken" | "sessionToken", string>>;

/** Reads a stored authorization and checks that it can continue; otherwise returns an error page. */
export async function resumeAuthorization(
  context: AuthContext,
  browser: HandleInBrowser,
  nowMs: bigint,
): Promise<ResumedAuthorization | ErrorStep> {
  const found = await findAuthorization(context, browser, nowMs);
  if (found.kind === "error") return found;
  if (found.answered) return answeredStep(found);
  return found.expired ? expiredStep(found) : found;
}

/** Reads a stored authorization, also one that was answered or has expired; returns an error page for any other browser's. */
export async function findAuthorization(
  context: AuthContext,
  { handle, browserToken, sessionToken }: HandleInBrowser,
  nowMs: bigint,
): Promise<ResumedAuthorization | ErrorStep> {
  const found = await findRequestInBrowser(context.database, handle, sessionToken);
  if (found === undefined) return errorPage("expired", EXPIRED);
  const { pending, client, session: storedSession } = found;
  if (!isOfBrowser(pending, browserToken)) return errorPage("other_browser", OTHER_BROWSER);
  const { request, chosenAccountUuid } = pending;
  const target = currentTarget(client, request.redirectUri);
  if (target === undefined) return errorPage("untrusted", CLIENT_CHANGED);
  const requested = requestedScopes(target.client.definition.scopes, request.scopes);
  const address = { ...request, issuer: context.issuer };
  const { answered, expiresAtMs } = pending;
  const expired = nowMs >= expiresAtMs;
  const user = { chosenAccountUuid, storedSession };
  return { kind: "resumed", handle, request, ...user, target, requested, address, answered, expired };
}

/** Returns the session of the browser if it is live, and stores that it was used. */
export function useStoredSession(
  { database }: AuthContext,
  { storedSession }: ResumedAuthorization,
  { sessionToken }: Pick<HandleInBrowser, "sessionToken">,
  nowMs: bigint,
): Promise<ClientSession | undefined> {
  return useSession(database, sessionToken, storedSession, nowMs);
}

/** The page for a user who took too long. */
function expiredStep({ target, address }: ResumedAuthorization): ErrorStep {
  return { kind: "error", reason: "expired", error: EXPIRED, target, redirectUrl: errorUrl(address, TOOK_TOO_LONG) };
}

/** The page for a browser that has gone back to an answered request, or has sent the answer twice. */
export function answeredStep({ handle, target, address, expired }: ResumedAuthorization): ErrorStep {
  const redirectUrl = errorUrl(address, ANSWERED);
  return {
    kind: "error",
    reason: "answered",
    error: ANSWERED,
    target,
    redirectUrl,
    handle: expired ? undefined : handle,
  };
}

/** The page for a session that isn't fit for the request, or the answer to an application that expects another user. */
export function sessionStep(
  { handle, request, target, address }: ResumedAuthorization,
  verdict: UnfitVerdict,
): AuthorizationStep {
  switch (verdict.kind) {
    case "sign_in":
      return { kind: "sign_in", handle, target, loginHint: request.loginHint };
    case "choose_account": {
      const { accountUuid, email } = verdict.session;
      return { kind: "choose_account", handle, target, accountUuid, email };
    }
    case "wrong_user":
      return { kind: "redirect", url: errorUrl(address, WRONG_USER) };
  }
}

const EXPIRED = new OAuthError("invalid_request", "the authorization is unknown or has expired: begin again");
const TOOK_TOO_LONG = new OAuthError("access_denied", "the user took too long: begin again");
const OTHER_BROWSER = new OAuthError("invalid_request", "the authorization was begun in another browser");
const CLIENT_CHANGED = new OAuthError("unauthorized_client", "the client was changed: begin again");
const WRONG_USER = new OAuthError("login_required", "another user has signed in than id_token_hint names");
const ANSWERED = new OAuthError("access_denied", "the authorization was answered before: begin again");

function errorPage(reason: ErrorReason, error: OAuthError): ErrorStep {
  return { kind: "error", reason, error };
}

function isOfBrowser({ browserHash }: PendingAuthorization, browserToken: string): boolean {
  return timingSafeEqual(browserHash, opaqueTokenHash(browserToken));
}
