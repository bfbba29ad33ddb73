import type { AuthContext } from "../base/context.ts";
import type { OwnAccessTokenClaims } from "../base/issued-tokens.ts";
import { isValid } from "./refresh-rotation.ts";
import { type FamilyWithEmail, findFamilies } from "./token-families-store.ts";
import { effectiveScopes, sufficesFor } from "./token-holder.ts";

/** An access token that has neither expired nor been revoked. */
export interface LiveAccessToken {
  readonly claims: OwnAccessTokenClaims;
  readonly family: FamilyWithEmail;
  /** The scopes of the token that are in force. */
  readonly scopes: readonly string[];
  /** Whether its user still grants all that the client requires. If not, the token is good for nothing. */
  readonly isSufficient: boolean;
  /** Whether its client demands tokens that are bound to a key, and this one, which is older than the demand, isn't. */
  readonly lacksKey: boolean;
}

/** Verifies an access token. @returns undefined if it isn't one, has expired or was revoked. */
export async function liveAccessToken(context: AuthContext, token: string): Promise<LiveAccessToken | undefined> {
  const [live] = await liveAccessTokens(context, [token]);
  return live;
}

/** Verifies access tokens with one query. @returns a result for each, in their order, as `liveAccessToken` does */
export async function liveAccessTokens(
  { database, accessTokens, clock }: AuthContext,
  tokens: readonly string[],
): Promise<readonly (LiveAccessToken | undefined)[]> {
  const verified = await Promise.all(tokens.map((token) => accessTokens.verify(token)));
  const familyUuids = new Set(verified.flatMap((claims) => claims?.familyUuid ?? []));
  if (familyUuids.size === 0) return verified.map(() => undefined);
  const families = await database.read((query) => findFamilies(query, database.dialect, [...familyUuids]));
  return verified.map((claims) => {
    const family = families.get(claims?.familyUuid ?? "");
    if (claims === undefined || family === undefined || !isValid(family, clock())) return undefined;
    return liveTokenOf(claims, family);
  });
}

function liveTokenOf(claims: OwnAccessTokenClaims, family: FamilyWithEmail): LiveAccessToken {
  const effective = effectiveScopes(family.scopes, family.holder);
  // A client may have asked for a token with fewer scopes than its user grants, even without a required one.
  const scopes = effective.filter((scope) => claims.scopes.includes(scope));
  const lacksKey = family.holder.clientDemandsDpop && claims.keyThumbprint === undefined;
  return { claims, family, scopes, isSufficient: sufficesFor(family.holder, effective), lacksKey };
}
