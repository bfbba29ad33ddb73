import type { ClientScope } from "../base/scope.ts";
import type { Session } from "../sessions/session.ts";
import { type AuthorizationRequest, returnsToLoopback } from "./authorization-request.ts";
import {
  CONSENT_WORDS_VERSION,
  type ConsentScope,
  consentScopes,
  grantWithoutAsking,
  type WordedConsent,
} from "./consent.ts";

/** The next step for a user who has signed in: a consent page, or a code for these scopes. */
export type AuthorizationDecision =
  | { readonly kind: "consent"; readonly scopes: readonly ConsentScope[] }
  | { readonly kind: "grant"; readonly scopes: readonly string[] };

/**
 * Whether a session is good enough for a request. With `prompt=login` it must have begun after the request; otherwise the
 * user would be asked to sign in again and again.
 */
export function isSignedInFor(
  { prompt, createdAtMs }: Pick<AuthorizationRequest, "prompt" | "createdAtMs">,
  session: Pick<Session, "authenticatedAtMs">,
): boolean {
  return prompt !== "login" || session.authenticatedAtMs >= createdAtMs;
}

/**
 * Decides the next step for a user who has signed in. Any program on the user's machine may listen on a loopback redirect
 * URI, so earlier consents don't count for it (RFC 8252 section 8.6). Neither does a consent to older words, which told the user
 * less.
 *
 * @param requested the requested scopes, as the client is configured now.
 */
export function decideAuthorization(
  request: Pick<AuthorizationRequest, "prompt" | "redirectUri">,
  requested: readonly ClientScope[],
  consent: WordedConsent,
): AuthorizationDecision {
  const toldLess = consent.wordsVersion < CONSENT_WORDS_VERSION;
  const mustAsk = toldLess || request.prompt === "consent" || returnsToLoopback(request.redirectUri);
  const scopes = mustAsk ? undefined : grantWithoutAsking(requested, consent);
  if (scopes === undefined) return { kind: "consent", scopes: consentScopes(requested, consent) };
  return { kind: "grant", scopes };
}
