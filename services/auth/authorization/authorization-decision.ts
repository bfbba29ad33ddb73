import { type ClientScope, OPENID } from "../base/oauth/scope.ts";
import {
  CONSENT_WORDS_VERSION,
  type ConsentScope,
  consentScopes,
  grantWithoutAsking,
  type WordedConsent,
} from "../consents/consent.ts";
import type { Session } from "../sessions/session.ts";
import { type AuthorizationRequest, returnsToLoopback } from "./authorization-request.ts";

/** The next step for a user who has signed in: a consent page, or a code for these scopes. */
export type AuthorizationDecision =
  | { readonly kind: "consent"; readonly scopes: readonly ConsentScope[] }
  | { readonly kind: "grant"; readonly scopes: readonly string[] };

/**
 * The verdict on a session for a request: it is good enough, the user must sign in (again) or choose the account, or the user who
 * has signed in for it is another one than the application asked for.
 */
export type SessionVerdict = "fit" | "sign_in" | "choose_account" | "wrong_user";

/** The part of a request that asks something of the session. */
type SignInRules = Pick<AuthorizationRequest, "prompts" | "maxAgeSeconds" | "hintedSubject" | "createdAtMs">;

/** A user who has signed in. */
export interface SignedInUser {
  readonly session: Pick<Session, "authenticatedAtMs">;
  /** The `sub` that the application knows the user by; needed only where the request names one. */
  readonly subject: string | undefined;
  /** Whether the user has chosen to go on with this account. */
  readonly chosen: boolean;
}

/**
 * Judges a session by `prompt`, `max_age` and `id_token_hint` (OpenID Connect Core section 3.1.2.1). A sign-in after the request
 * satisfies `login`, `select_account` and any `max_age`; otherwise the user would be asked again and again.
 */
export function judgeSession(
  request: SignInRules,
  { session, subject, chosen }: SignedInUser,
  nowMs: bigint,
): SessionVerdict {
  const signedInForIt = session.authenticatedAtMs >= request.createdAtMs;
  const { hintedSubject = subject, maxAgeSeconds } = request;
  if (hintedSubject !== subject) return signedInForIt ? "wrong_user" : "sign_in";
  if (signedInForIt) return "fit";
  const isTooOld = maxAgeSeconds !== undefined && nowMs - session.authenticatedAtMs > BigInt(maxAgeSeconds) * 1_000n;
  if (isTooOld || maxAgeSeconds === 0 || request.prompts.includes("login")) return "sign_in";
  return request.prompts.includes("select_account") && !chosen ? "choose_account" : "fit";
}

/**
 * Decides the next step for a user who has signed in. Any program on the user's machine may listen on a loopback redirect
 * URI, so earlier consents don't count for it (RFC 8252 section 8.6). Neither does a consent to older words, which told the user
 * less.
 *
 * @param requested the requested scopes, as the client is configured now.
 */
export function decideAuthorization(
  request: Pick<AuthorizationRequest, "prompts" | "redirectUri" | "scopes">,
  requested: readonly ClientScope[],
  consent: WordedConsent,
): AuthorizationDecision {
  const toldLess = consent.wordsVersion < CONSENT_WORDS_VERSION;
  const mustAsk = toldLess || request.prompts.includes("consent") || returnsToLoopback(request.redirectUri);
  const scopes = mustAsk ? undefined : grantWithoutAsking(requested, consent, request.scopes.includes(OPENID));
  if (scopes === undefined) return { kind: "consent", scopes: consentScopes(requested, consent) };
  return { kind: "grant", scopes };
}
