import type { ClientScope } from "../base/scope.ts";
import type { Session } from "../sessions/session.ts";
import { type AuthorizationRequest, returnsToLoopback } from "./authorization-request.ts";
import { type Consent, type ConsentScope, consentScopes, grantWithoutAsking } from "./consent.ts";

/** What an authorization needs next of a user who has signed in. */
export type AuthorizationDecision =
  | { readonly kind: "consent"; readonly scopes: readonly ConsentScope[] }
  | { readonly kind: "grant"; readonly scopes: readonly string[] };

/**
 * Whether a session will do: for `prompt=login` it must have begun after the request, or the user would never come to
 * an end.
 */
export function isSignedInFor(
  { prompt, createdAtMs }: Pick<AuthorizationRequest, "prompt" | "createdAtMs">,
  session: Pick<Session, "authenticatedAtMs">,
): boolean {
  return prompt !== "login" || session.authenticatedAtMs >= createdAtMs;
}

/**
 * Decides what comes next for a user who has signed in. A loopback redirect URI is anybody's on that machine, so no
 * earlier consent counts there (RFC 8252 section 8.6).
 *
 * @param asked what the request asks for, as the client is configured now.
 */
export function decideAuthorization(
  request: Pick<AuthorizationRequest, "prompt" | "redirectUri">,
  asked: readonly ClientScope[],
  consent: Consent,
): AuthorizationDecision {
  const mustAsk = request.prompt === "consent" || returnsToLoopback(request.redirectUri);
  const scopes = mustAsk ? undefined : grantWithoutAsking(asked, consent);
  if (scopes === undefined) return { kind: "consent", scopes: consentScopes(asked, consent) };
  return { kind: "grant", scopes };
}
