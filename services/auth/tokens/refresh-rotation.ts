import type { AuthenticationMethod } from "../base/authentication-method.ts";
import { REFRESH_GRACE_MS, REFRESH_TOKEN_IDLE_MS, TOKEN_FAMILY_LIFETIME_MS } from "../base/lifetimes.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import type { PresentedProof } from "../dpop/presented-proof.ts";
import { requireDemandedProof, requireKey } from "./key-binding.ts";
import type { TokenHolder } from "./token-holder.ts";
import { effectiveScopes, sufficesFor } from "./token-holder.ts";
import type { TokenRefresh } from "./token-parameters.ts";

/** All tokens that come from one code. */
export interface TokenFamily {
  readonly uuid: string;
  readonly holder: TokenHolder;
  /** The granted scopes, without those that a later consent has taken back. */
  readonly scopes: readonly string[];
  readonly authenticatedAtMs: bigint;
  readonly authenticatedBy: AuthenticationMethod;
  /** Whether ID tokens say when the user signed in (`auth_time`): the request had `max_age`. */
  readonly idTokenSaysWhen: boolean;
  readonly expiresAtMs: bigint;
  readonly revoked: boolean;
  /** The thumbprint of the key that the refresh tokens are bound to; undefined for none. */
  readonly keyThumbprint: string | undefined;
}

/** An issued refresh token. */
export interface IssuedRefreshToken {
  readonly family: TokenFamily;
  /** The thumbprint of the key that it is bound to; undefined for one that was used before its family was bound. */
  readonly keyThumbprint: string | undefined;
  readonly expiresAtMs: bigint;
  readonly usedAtMs: bigint | undefined;
  /** Whether its successor was issued and is unused. */
  readonly successorUnused: boolean;
}

/** The decision: `repeat` returns the same successor again, `reuse` revokes the family (RFC 9700 section 4.14.2). */
export type RefreshVerdict = "rotate" | "repeat" | "reuse";

/**
 * Decides a refresh. The key is checked before reuse is recognised, so that a thief without it can't revoke the tokens. A token that
 * isn't bound may have been used by a thief, who has bound its successors to his own key: whoever sends it with another key, or
 * without one, makes a reuse (RFC 9700 section 4.14.2).
 *
 * @param proof that of the request, whose signature was verified; absent for a request without one
 * @throws OAuthError `invalid_grant`, `invalid_request` or `invalid_scope`; nothing changes then.
 */
export function judgeRefresh(
  refresh: TokenRefresh,
  token: IssuedRefreshToken,
  nowMs: bigint,
  proof?: PresentedProof,
): RefreshVerdict {
  const { family } = token;
  const { clientUuid = family.holder.clientUuid } = refresh;
  if (clientUuid !== family.holder.clientUuid) throw invalidGrant("refresh_token was issued to another client");
  if (!isValid(family, nowMs)) throw invalidGrant("the authorization of refresh_token has expired or was revoked");
  requireKey(proof, token.keyThumbprint);
  if (token.usedAtMs !== undefined) {
    const isSameKey = family.keyThumbprint === undefined || family.keyThumbprint === proof?.keyThumbprint;
    const repeats = isSameKey && token.successorUnused && nowMs - token.usedAtMs <= REFRESH_GRACE_MS;
    if (!repeats) return "reuse";
  } else if (nowMs >= token.expiresAtMs) {
    throw unknownRefreshToken();
  }
  requireDemandedProof(proof, family.holder);
  const effective = effectiveScopes(family.scopes, family.holder);
  if (!sufficesFor(family.holder, effective)) throw invalidGrant("the user no longer grants what the client requires");
  checkNamedScopes(refresh, effective);
  return token.usedAtMs === undefined ? "rotate" : "repeat";
}

/** Whether the tokens of a family are valid, unless they have expired themselves. */
export function isValid({ revoked, expiresAtMs, holder }: TokenFamily, nowMs: bigint): boolean {
  return !revoked && nowMs < expiresAtMs && holder.clientIsValid;
}

/** The expiry of all tokens of a family that begins now. */
export function familyExpiry(nowMs: bigint): bigint {
  return nowMs + TOKEN_FAMILY_LIFETIME_MS;
}

/** The expiry of a refresh token that is issued now. */
export function refreshExpiry(familyExpiresAtMs: bigint, nowMs: bigint): bigint {
  const idle = nowMs + REFRESH_TOKEN_IDLE_MS;
  return idle < familyExpiresAtMs ? idle : familyExpiresAtMs;
}

/** The scopes of the refreshed access token: those of the grant in force, or fewer if the client asks for fewer. */
export function refreshedScopes({ scopes }: TokenRefresh, family: TokenFamily): readonly string[] {
  const effective = effectiveScopes(family.scopes, family.holder);
  return scopes === undefined ? effective : effective.filter((scope) => scopes.includes(scope));
}

export function unknownRefreshToken(): OAuthError {
  return invalidGrant("refresh_token is unknown or expired");
}

/** The error for a refresh token that was used before. */
export function reusedRefreshToken(): OAuthError {
  return invalidGrant("refresh_token was used before: all tokens that came from the same code are revoked");
}

/** Refuses scopes that aren't granted (RFC 6749 section 6), and a list that names nothing which means anything here. */
function checkNamedScopes({ scopes }: TokenRefresh, effective: readonly string[]): void {
  if (scopes?.some((scope) => !effective.includes(scope))) {
    throw new OAuthError("invalid_scope", "scope must name only what is granted");
  }
  if (scopes?.length === 0) throw new OAuthError("invalid_scope", "scope must name something that is granted");
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
