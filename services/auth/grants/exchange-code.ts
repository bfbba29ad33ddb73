import type { Transaction } from "kysely";
import { GroupQueue } from "../../shared/group-queue.ts";
import { type IssuedCode, judgeExchange, replayRefusal, unknownCode } from "../domain/code-redemption.ts";
import type { CodeExchange } from "../domain/token-parameters.ts";
import { newOpaqueToken } from "../opaque-token.ts";
import type { Dependencies } from "../rpc/dependencies.ts";
import { recordEvent, recordEvents } from "../store/audit.ts";
import { findCodes, redeemCodes } from "../store/authorization-codes.ts";
import { familyOfRefreshToken, insertRefreshTokens } from "../store/refresh-tokens.ts";
import type { AuthSchema } from "../store/schema.ts";
import { insertFamilies, revokeFamily } from "../store/token-families.ts";
import { allOrNone, latest } from "./all-or-none.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/** A code that is about to be redeemed. */
interface Redemption {
  readonly code: string;
  readonly issued: IssuedCode;
  readonly refreshToken: string;
  readonly nowMs: bigint;
}

/**
 * Exchanges codes for tokens (RFC 6749 section 4.1.3). Five statements: the code with its holder, its redemption, family,
 * refresh token, audit; those of exchanges at the same time are shared.
 */
export class CodeExchanges {
  readonly #deps: Dependencies;
  readonly #codes: GroupQueue<string, IssuedCode | undefined>;
  readonly #redemptions: GroupQueue<Redemption, boolean>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { database } = deps;
    this.#codes = new GroupQueue((codes) => database.read((query) => findCodes(query, codes)));
    this.#redemptions = new GroupQueue((group) =>
      allOrNone(database, group, (transaction) => redeemed(transaction, group)),
    );
  }

  /**
   * @throws OAuthRefusal `invalid_grant`; a replay revokes what was issued before it is refused (RFC 6749 section 4.1.2).
   * @throws ServiceError `resource_exhausted`, `unavailable`.
   */
  async exchange(exchange: CodeExchange): Promise<TokenSet> {
    const { clock, rateLimits, accessTokens } = this.#deps;
    const nowMs = clock();
    const issued = await this.#codes.run(exchange.code);
    if (issued === undefined) throw unknownCode();
    const verdict = judgeExchange(exchange, issued, nowMs);
    // A replay is always heard: whoever uses stolen tokens up to the limit must not keep their owner from ending them.
    if (verdict === "redeem") await rateLimits.take("token_account", issued.holder.accountUuid);
    const redemption = { code: exchange.code, issued, refreshToken: newOpaqueToken(), nowMs };
    if (!(await this.#isRedeemed(redemption, verdict))) throw replayRefusal();
    const family = { ...issued, uuid: issued.familyUuid };
    return tokenSetOf(accessTokens, family, issued.scopes, redemption.refreshToken);
  }

  /** @returns false for a replay, and what was issued is revoked now. */
  async #isRedeemed(redemption: Redemption, verdict: "redeem" | "replay"): Promise<boolean> {
    if (verdict === "redeem" && (await this.#redemptions.run(redemption))) return true;
    const { code, issued, refreshToken, nowMs } = redemption;
    return this.#deps.database.write(async (transaction) => {
      if (verdict === "redeem" && (await redeemed(transaction, [redemption])) === 1) return true;
      // Redeemed by another exchange meanwhile, or by this one, where the outcome of its commit was lost; or taken back.
      if ((await familyOfRefreshToken(transaction, refreshToken)) !== undefined) return true;
      if ((await findCodes(transaction, [code]))[0] === undefined) throw unknownCode();
      await revokeReplayed(transaction, issued, nowMs);
      return false;
    });
  }
}

/**
 * Redemption and tokens in one transaction: a code is never used up for nothing.
 *
 * @returns how many of the codes were there; where some weren't, the transaction must not be committed.
 */
async function redeemed(transaction: Transaction<AuthSchema>, group: readonly Redemption[]): Promise<number> {
  const nowMs = latest(group);
  const codes = group.map(({ code }) => code);
  const count = await redeemCodes(transaction, codes, nowMs);
  if (count !== group.length) return count;
  const issued = group.map((redemption) => redemption.issued);
  const expiresAtMs = await insertFamilies(transaction, issued, nowMs);
  const tokens = group.map(({ refreshToken, issued: { familyUuid } }) => ({
    token: refreshToken,
    family: { uuid: familyUuid, expiresAtMs },
  }));
  await insertRefreshTokens(transaction, tokens, nowMs);
  const events = issued.map((code) => ({ event: "tokens.issued" as const, ...eventOf(code) }));
  await recordEvents(transaction, events, nowMs);
  return count;
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
