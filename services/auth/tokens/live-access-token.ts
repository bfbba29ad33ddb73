import type { OwnAccessTokenClaims } from "./access-tokens.ts";
import type { TokenDependencies } from "./dependencies.ts";
import { isValid } from "./refresh-rotation.ts";
import { type FamilyWithEmail, findFamily } from "./token-families-store.ts";

/** An access token that is good now. */
export interface LiveAccessToken {
  readonly claims: OwnAccessTokenClaims;
  readonly family: FamilyWithEmail;
}

/** Undefined for what is no access token of ours, is over, or was revoked. */
export async function liveAccessToken(
  { database, accessTokens, clock }: TokenDependencies,
  token: string,
): Promise<LiveAccessToken | undefined> {
  const claims = await accessTokens.verify(token);
  if (claims === undefined) return undefined;
  const family = await database.read((query) => findFamily(query, claims.familyUuid));
  return family !== undefined && isValid(family, clock()) ? { claims, family } : undefined;
}
