import { timingSafeEqual } from "node:crypto";
import { OAuthError } from "../base/oauth-error.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import { type ClientScope, requestedScopes } from "../base/scope.ts";
import type { AuthorizationRequest, ReturnTarget } from "./authorization-request.ts";
import { findAuthorizationRequest, type PendingAuthorization } from "./authorization-requests-store.ts";
import { errorUrl, type ResponseAddress } from "./authorization-response.ts";
import type { AuthorizationStep, ErrorReason, ErrorStep } from "./authorization-step.ts";
import type { AuthorizationDependencies } from "./dependencies.ts";
import { currentTarget } from "./return-target.ts";

/** An authorization that waits for its user, taken up in the browser that began it. */
export interface ResumedAuthorization {
  readonly kind: "taken_up";
  readonly handle: string;
  readonly request: AuthorizationRequest;
  readonly target: ReturnTarget;
  /** What is asked for, as the client is configured now. */
  readonly asked: readonly ClientScope[];
  readonly address: ResponseAddress;
}

/** Takes an authorization up again, or says on a page why that can't be. */
export async function resumeAuthorization(
  deps: AuthorizationDependencies,
  { handle, browserToken }: { readonly handle: string; readonly browserToken: string },
  nowMs: bigint,
): Promise<ResumedAuthorization | ErrorStep> {
  const pending = await deps.database.read((query) => findAuthorizationRequest(query, handle));
  if (pending === undefined || nowMs >= pending.expiresAtMs) return deadEnd("expired", EXPIRED);
  if (!isOfBrowser(pending, browserToken)) return deadEnd("other_browser", OTHER_BROWSER);
  const { request } = pending;
  const target = await currentTarget(deps.database, request);
  if (target === undefined) return deadEnd("untrusted", CLIENT_CHANGED);
  const asked = requestedScopes(target.client.definition.scopes, request.scopes);
  const address = { ...request, issuer: deps.issuer };
  const taken: ResumedAuthorization = { kind: "taken_up", handle, request, target, asked, address };
  return pending.answered ? answeredStep(taken) : taken;
}

/** The page for a browser that went back to a page which the user has answered. */
export function answeredStep({ target, address }: ResumedAuthorization): ErrorStep {
  return { kind: "error", reason: "answered", refusal: ANSWERED, target, redirectUrl: errorUrl(address, ANSWERED) };
}

export function signInStep({ handle, target }: ResumedAuthorization): AuthorizationStep {
  return { kind: "sign_in", handle, target };
}

const EXPIRED = new OAuthError("invalid_request", "the authorization is unknown or over: begin again");
const OTHER_BROWSER = new OAuthError("invalid_request", "the authorization was begun in another browser");
const CLIENT_CHANGED = new OAuthError("unauthorized_client", "the client was changed: begin again");
const ANSWERED = new OAuthError("access_denied", "the authorization has had its answer: begin again");

function deadEnd(reason: ErrorReason, refusal: OAuthError): ErrorStep {
  return { kind: "error", reason, refusal };
}

function isOfBrowser({ browserHash }: PendingAuthorization, browserToken: string): boolean {
  return timingSafeEqual(browserHash, opaqueTokenHash(browserToken));
}
