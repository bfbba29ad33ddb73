import type { OwnAccessTokenClaims } from "./access-tokens.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { isValid } from "./refresh-rotation.ts";
import { type FamilyWithEmail, findFamily } from "./token-families-store.ts";

/** An access token that is valid now. */
export interface LiveAccessToken {
  readonly claims: OwnAccessTokenClaims;
  readonly family: FamilyWithEmail;
}

/** Verifies an access token. @returns undefined if it isn't one, has expired or was revoked. */
export async function liveAccessToken(
  { database, accessTokens, clock }: TokenDependencies,
  token: string,
): Promise<LiveAccessToken | undefined> {
  const claims = await accessTokens.verify(token);
  if (claims === undefined) return undefined;
  const family = await database.read((query) => findFamily(query, claims.familyUuid));
  return family !== undefined && isValid(family, clock()) ? { claims, family } : undefined;
}
