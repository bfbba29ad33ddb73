import { OAuthRefusal } from "../domain/oauth-refusal.ts";
import type { TokenRevocation } from "../domain/token-parameters.ts";
import type { Dependencies } from "../rpc/dependencies.ts";
import { recordEvent } from "../store/audit.ts";
import { familyOfRefreshToken } from "../store/refresh-tokens.ts";
import { findFamily, revokeFamily } from "../store/token-families.ts";

/**
 * Revokes the family of a refresh token, used or not, or of an access token. What is no token, or no longer, is no error
 * (RFC 7009 section 2.2).
 *
 * @throws OAuthRefusal `invalid_grant` for the token of another client than the one named.
 * @throws ServiceError `unavailable`.
 */
export async function revokeToken(deps: Dependencies, { token, clientUuid }: TokenRevocation): Promise<void> {
  const family = await familyOfToken(deps, token);
  if (family === undefined) return;
  const { holder } = family;
  if (clientUuid !== undefined && clientUuid !== holder.clientUuid) {
    throw new OAuthRefusal("invalid_grant", "token was issued to another client");
  }
  const nowMs = deps.clock();
  const { accountUuid, saleUuid } = holder;
  const event = { event: "tokens.revoked", accountUuid, clientUuid: holder.clientUuid, saleUuid } as const;
  await deps.database.write(async (transaction) => {
    const revoked = await revokeFamily(transaction, family.uuid, nowMs);
    if (revoked) await recordEvent(transaction, { ...event, details: { family: family.uuid } }, nowMs);
  });
}

async function familyOfToken({ database, accessTokens }: Dependencies, token: string) {
  const ofRefreshToken = await database.read((query) => familyOfRefreshToken(query, token));
  const familyUuid = ofRefreshToken ?? (await accessTokens.verify(token))?.familyUuid;
  return familyUuid === undefined ? undefined : database.read((query) => findFamily(query, familyUuid));
}
