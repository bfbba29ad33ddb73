import type { Transaction } from "kysely";
import { type IssuedCode, judgeExchange, replayRefusal, unknownCode } from "../domain/code-redemption.ts";
import type { CodeExchange } from "../domain/token-parameters.ts";
import { newOpaqueToken } from "../opaque-token.ts";
import type { Dependencies } from "../rpc/dependencies.ts";
import { recordEvent } from "../store/audit.ts";
import { findCode, redeemCode } from "../store/authorization-codes.ts";
import { familyOfRefreshToken, insertRefreshToken } from "../store/refresh-tokens.ts";
import type { AuthSchema } from "../store/schema.ts";
import { insertFamily, revokeFamily } from "../store/token-families.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/**
 * Exchanges a code for tokens (RFC 6749 section 4.1.3). Five statements: the code with its holder, its redemption, family,
 * refresh token, audit.
 *
 * @throws OAuthRefusal `invalid_grant`; a replay revokes what was issued before it is refused (RFC 6749 section 4.1.2).
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function exchangeCode(deps: Dependencies, exchange: CodeExchange): Promise<TokenSet> {
  const nowMs = deps.clock();
  const code = await deps.database.read((query) => findCode(query, exchange.code));
  if (code === undefined) throw unknownCode();
  const verdict = judgeExchange(exchange, code, nowMs);
  await deps.rateLimits.take("token_account", code.holder.accountUuid);
  const refreshToken = newOpaqueToken();
  const redeemed = await deps.database.write(async (transaction) => {
    if (verdict === "redeem" && (await redeem(transaction, exchange, code, refreshToken, nowMs))) return true;
    // Redeemed by another exchange meanwhile, or by this one, where the outcome of its commit was lost.
    if ((await familyOfRefreshToken(transaction, refreshToken)) !== undefined) return true;
    await revokeReplayed(transaction, code, nowMs);
    return false;
  });
  if (!redeemed) throw replayRefusal();
  return tokenSetOf(deps.accessTokens, { ...code, uuid: code.familyUuid }, code.scopes, refreshToken);
}

/** Redemption and tokens in one transaction: a code is never used up for nothing. @returns whether the code was there. */
async function redeem(
  transaction: Transaction<AuthSchema>,
  exchange: CodeExchange,
  code: IssuedCode,
  refreshToken: string,
  nowMs: bigint,
): Promise<boolean> {
  if (!(await redeemCode(transaction, exchange.code, nowMs))) return false;
  const expiresAtMs = await insertFamily(transaction, code, nowMs);
  const family = { uuid: code.familyUuid, expiresAtMs };
  await insertRefreshToken(transaction, { token: refreshToken, family }, nowMs);
  await recordEvent(transaction, { event: "tokens.issued", ...eventOf(code) }, nowMs);
  return true;
}

async function revokeReplayed(transaction: Transaction<AuthSchema>, code: IssuedCode, nowMs: bigint): Promise<void> {
  const revoked = await revokeFamily(transaction, code.familyUuid, nowMs);
  const { details, ...event } = eventOf(code);
  await recordEvent(transaction, { event: "code.replayed", ...event, details: { ...details, revoked } }, nowMs);
}

function eventOf({ holder, familyUuid }: IssuedCode) {
  const { accountUuid, clientUuid, saleUuid } = holder;
  return { accountUuid, clientUuid, saleUuid, details: { family: familyUuid } };
}
