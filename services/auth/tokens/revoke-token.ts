import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { OAuthError } from "../base/oauth/oauth-error.ts";
import { authenticateClient } from "../client-authentication/authenticate-client.ts";
import { requireNamedClient } from "./named-client.ts";
import { familyOfRefreshToken } from "./refresh-tokens-store.ts";
import { findFamily, revokeFamily } from "./token-families-store.ts";
import type { TokenRevocation } from "./token-parameters.ts";

/**
 * Revokes the family of a refresh token, used or not, or of an access token. An unknown or expired token is no error (RFC
 * 7009 section 2.2).
 *
 * @throws OAuthError `invalid_client` for a named client that is unknown or disabled, and for a confidential one that doesn't
 *   authenticate; `invalid_grant` for a token of another
 *   client than the named one.
 * @throws ServiceError `unavailable`.
 */
export async function revokeToken(context: AuthContext, request: TokenRevocation): Promise<void> {
  const { token, clientUuid, assertion } = request;
  if (assertion !== undefined) await authenticateClient(context, request);
  const family = await familyOfToken(context, token);
  await requireNamedClient(context, request, family?.holder);
  if (family === undefined) return;
  const { holder } = family;
  if (clientUuid !== undefined && clientUuid !== holder.clientUuid) {
    throw new OAuthError("invalid_grant", "token was issued to another client");
  }
  const nowMs = context.clock();
  const { accountUuid, saleUuid } = holder;
  const event = { event: "tokens.revoked", accountUuid, clientUuid: holder.clientUuid, saleUuid } as const;
  await context.database.write(async (transaction) => {
    const revoked = await revokeFamily(transaction, family.uuid, nowMs);
    if (revoked) await recordEvent(transaction, { ...event, details: { family: family.uuid } }, nowMs);
  });
}

async function familyOfToken({ database, accessTokens }: AuthContext, token: string) {
  const ofRefreshToken = await database.read((query) => familyOfRefreshToken(query, token));
  const familyUuid = ofRefreshToken ?? (await accessTokens.verify(token))?.familyUuid;
  return familyUuid === undefined
    ? undefined
    : database.read((query) => findFamily(query, database.dialect, familyUuid));
}
