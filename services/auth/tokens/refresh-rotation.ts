import { OAuthError } from "../base/oauth-error.ts";
import type { TokenHolder } from "./token-holder.ts";
import type { TokenRefresh } from "./token-parameters.ts";

const DAY_MS = 24n * 60n * 60_000n;

/** An unused refresh token is over after this long. */
export const REFRESH_IDLE_MS = 30n * DAY_MS;
/** All tokens of a family are over after this long. */
export const FAMILY_LIFETIME_MS = 90n * DAY_MS;
/** For this long after its use a refresh token gives its successor again, while that is unused. */
export const REFRESH_GRACE_MS = 10_000n;

/** All tokens that come from one code. */
export interface TokenFamily {
  readonly uuid: string;
  readonly holder: TokenHolder;
  readonly scopes: readonly string[];
  readonly authenticatedAtMs: bigint;
  readonly expiresAtMs: bigint;
  readonly revoked: boolean;
}

/** A refresh token that was issued. */
export interface IssuedRefreshToken {
  readonly family: TokenFamily;
  readonly expiresAtMs: bigint;
  readonly usedAtMs: bigint | undefined;
  /** The token that its use gave was issued, and not used so far. */
  readonly successorUnused: boolean;
}

/** `repeat`: the same successor once more; `reuse`: the family is to be revoked (RFC 9700 section 4.14.2). */
export type RefreshVerdict = "rotate" | "repeat" | "reuse";

/**
 * What a refresh comes to.
 *
 * @throws OAuthError `invalid_grant` or `invalid_scope`, which change nothing.
 */
export function judgeRefresh(refresh: TokenRefresh, token: IssuedRefreshToken, nowMs: bigint): RefreshVerdict {
  const { family } = token;
  if (refresh.clientUuid !== family.holder.clientUuid) throw refusal("refresh_token was issued to another client");
  if (!isValid(family, nowMs)) throw refusal("what refresh_token came from is over or revoked");
  if (token.usedAtMs !== undefined) {
    const repeats = token.successorUnused && nowMs - token.usedAtMs <= REFRESH_GRACE_MS;
    if (!repeats) return "reuse";
  } else if (nowMs >= token.expiresAtMs) {
    throw unknownRefreshToken();
  }
  refuseWidening(refresh, family);
  return token.usedAtMs === undefined ? "rotate" : "repeat";
}

/** Whether the tokens of a family count, as far as they have not expired themselves. */
export function isValid({ revoked, expiresAtMs, holder }: TokenFamily, nowMs: bigint): boolean {
  return !revoked && nowMs < expiresAtMs && holder.clientIsValid;
}

/** Until when a refresh token that is issued now may be used. */
export function refreshExpiry(familyExpiresAtMs: bigint, nowMs: bigint): bigint {
  const idle = nowMs + REFRESH_IDLE_MS;
  return idle < familyExpiresAtMs ? idle : familyExpiresAtMs;
}

/** The scopes of the access token: narrower than the grant where the client wants that. */
export function refreshedScopes({ scopes }: TokenRefresh, family: TokenFamily): readonly string[] {
  return scopes === undefined ? family.scopes : family.scopes.filter((scope) => scopes.includes(scope));
}

export function unknownRefreshToken(): OAuthError {
  return refusal("refresh_token is unknown or expired");
}

/** The answer to a refresh token that was used before. */
export function reusedRefreshToken(): OAuthError {
  return refusal("refresh_token was used before: all tokens that came from the same code are revoked");
}

/** RFC 6749 section 6. */
function refuseWidening({ scopes = [] }: TokenRefresh, family: TokenFamily): void {
  if (scopes.some((scope) => !family.scopes.includes(scope))) {
    throw new OAuthError("invalid_scope", "scope must name only what was granted");
  }
}

function refusal(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
