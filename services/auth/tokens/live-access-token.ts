import type { OwnAccessTokenClaims } from "./access-tokens.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { effectiveScopes, sufficesFor } from "./effective-scopes.ts";
import { isValid } from "./refresh-rotation.ts";
import { type FamilyWithEmail, findFamily } from "./token-families-store.ts";

/** An access token that has neither expired nor been revoked. */
export interface LiveAccessToken {
  readonly claims: OwnAccessTokenClaims;
  readonly family: FamilyWithEmail;
  /** The scopes of the token that are in force. */
  readonly scopes: readonly string[];
  /** Whether its user still grants all that the client requires. If not, the token is good for nothing. */
  readonly isSufficient: boolean;
}

/** Verifies an access token. @returns undefined if it isn't one, has expired or was revoked. */
export async function liveAccessToken(
  { database, accessTokens, clock }: TokenDependencies,
  token: string,
): Promise<LiveAccessToken | undefined> {
  const claims = await accessTokens.verify(token);
  if (claims === undefined) return undefined;
  const family = await database.read((query) => findFamily(query, claims.familyUuid));
  if (family === undefined || !isValid(family, clock())) return undefined;
  const effective = effectiveScopes(family.scopes, family.holder);
  // A client may have asked for a token with fewer scopes than its user grants, even without a required one.
  const scopes = effective.filter((scope) => claims.scopes.includes(scope));
  return { claims, family, scopes, isSufficient: sufficesFor(family.holder, effective) };
}
