import type { Transaction } from "kysely";
import { macOf } from "../derived-keys.ts";
import {
  type IssuedRefreshToken,
  judgeRefresh,
  type RefreshVerdict,
  refreshedScopes,
  reuseRefusal,
  unknownRefreshToken,
} from "../domain/refresh-rotation.ts";
import type { TokenRefresh } from "../domain/token-parameters.ts";
import type { Dependencies } from "../rpc/dependencies.ts";
import { recordEvent } from "../store/audit.ts";
import { findRefreshToken, insertRefreshToken, useRefreshToken } from "../store/refresh-tokens.ts";
import type { AuthSchema } from "../store/schema.ts";
import { revokeFamily } from "../store/token-families.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/** A refresh in work. */
interface Rotation {
  readonly refresh: TokenRefresh;
  readonly token: IssuedRefreshToken;
  readonly successor: string;
  readonly nowMs: bigint;
}

/**
 * Refreshes tokens (RFC 6749 section 6), rotating the refresh token (RFC 9700 section 4.14.2). Four statements: the token
 * with its family and successor, its use, the successor, audit. As the successor comes from the token itself, a client that
 * lost the answer gets the same one again.
 *
 * @throws OAuthRefusal `invalid_grant`, `invalid_scope`; reuse revokes the family before it is refused.
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function refreshTokens(deps: Dependencies, refresh: TokenRefresh): Promise<TokenSet> {
  const nowMs = deps.clock();
  const successor = macOf(deps.derivedKeys.refreshSuccessor, refresh.refreshToken).toString("base64url");
  const token = await deps.database.read((query) => findRefreshToken(query, refresh.refreshToken, successor));
  if (token === undefined) throw unknownRefreshToken();
  const verdict = judgeRefresh(refresh, token, nowMs);
  const { family } = token;
  await deps.rateLimits.take("token_account", family.holder.accountUuid);
  if (!(await isSettled(deps, { refresh, token, successor, nowMs }, verdict))) throw reuseRefusal();
  return tokenSetOf(deps.accessTokens, family, refreshedScopes(refresh, family), successor);
}

/** @returns false where the token was used before, and its family is revoked now. */
async function isSettled({ database }: Dependencies, rotation: Rotation, verdict: RefreshVerdict): Promise<boolean> {
  if (verdict === "repeat") return true;
  return database.write(async (transaction) => {
    if (verdict === "rotate" && (await rotate(transaction, rotation))) return true;
    if (verdict === "rotate" && (await repeats(transaction, rotation))) return true;
    await revokeReused(transaction, rotation);
    return false;
  });
}

/** @returns whether the token was there to be used. */
async function rotate(
  transaction: Transaction<AuthSchema>,
  { refresh, token, successor, nowMs }: Rotation,
): Promise<boolean> {
  if (!(await useRefreshToken(transaction, refresh.refreshToken, nowMs))) return false;
  await insertRefreshToken(transaction, { token: successor, family: token.family }, nowMs);
  await recordEvent(transaction, { event: "tokens.refreshed", ...eventOf(token) }, nowMs);
  return true;
}

/** Another refresh was faster; it is committed by now, or the attempt to use the token would still wait for it. */
async function repeats(
  transaction: Transaction<AuthSchema>,
  { refresh, successor, nowMs }: Rotation,
): Promise<boolean> {
  const token = await findRefreshToken(transaction, refresh.refreshToken, successor);
  const verdict = token && judgeRefresh(refresh, token, nowMs);
  if (verdict === undefined || verdict === "rotate") throw unknownRefreshToken();
  return verdict === "repeat";
}

async function revokeReused(transaction: Transaction<AuthSchema>, { token, nowMs }: Rotation): Promise<void> {
  await revokeFamily(transaction, token.family.uuid, nowMs);
  await recordEvent(transaction, { event: "tokens.reused", ...eventOf(token) }, nowMs);
}

function eventOf({ family }: IssuedRefreshToken) {
  const { accountUuid, clientUuid, saleUuid } = family.holder;
  return { accountUuid, clientUuid, saleUuid, details: { family: family.uuid } };
}
