import type { Transaction } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { eventsStatement, recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { type PresentedProof, useProof } from "../dpop/presented-proof.ts";
import { applyTogether, fulfilledValue, latestTime } from "./apply-together.ts";
import { findCodes, redeemCodes } from "./authorization-codes-store.ts";
import { type IssuedCode, judgeExchange, replayedCode, unknownCode } from "./code-redemption.ts";
import { familyKey } from "./key-binding.ts";
import { requireNamedClient, requireTokenEndpoint } from "./named-client.ts";
import { familyExpiry } from "./refresh-rotation.ts";
import { familyOfRefreshToken, refreshTokensStatement } from "./refresh-tokens-store.ts";
import { familiesStatement, revokeFamily } from "./token-families-store.ts";
import { effectiveScopes, rateLimitKey } from "./token-holder.ts";
import type { CodeExchange } from "./token-parameters.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/** A requested exchange. */
interface Attempt {
  readonly exchange: CodeExchange;
  readonly proof: PresentedProof | undefined;
  /** The refresh token that it will return. */
  readonly refreshToken: string;
  readonly nowMs: bigint;
}

/** An exchange that wasn't refused. */
interface Judged extends Attempt {
  readonly issued: IssuedCode;
  readonly verdict: "redeem" | "replay";
  /** Whether the code was redeemed in the transaction of its group. */
  readonly settled: boolean;
}

/**
 * Exchanges codes for tokens (RFC 6749 section 4.1.3). An exchange takes five statements: it reads the code with its holder,
 * redeems it, and inserts the family, the refresh token and the audit row. They travel in three messages, the commit with the last
 * one. Concurrent exchanges share them.
 */
export class CodeExchanges {
  readonly #context: AuthContext;
  readonly #countReplay: () => void;
  readonly #batcher = new Batcher((attempts: readonly Attempt[]) => this.#attempt(attempts));

  /** @param countReplay called for each code that is sent again after its use */
  constructor(context: AuthContext, countReplay: () => void) {
    this.#context = context;
    this.#countReplay = countReplay;
  }

  /**
   * @param proof that of the request; absent for one whose tokens won't be bound to a key
   * @throws OAuthError `invalid_client`, `invalid_grant`, `invalid_request`, `invalid_dpop_proof`. A replay also revokes the tokens that were issued (RFC 6749 section
   *   4.1.2).
   * @throws ServiceError `resource_exhausted`, `unavailable`.
   */
  async exchange(exchange: CodeExchange, proof?: PresentedProof): Promise<TokenSet> {
    const { clock } = this.#context;
    const refreshToken = newOpaqueToken();
    const judged = fulfilledValue(await this.#batcher.run({ exchange, proof, refreshToken, nowMs: clock() }));
    if (!(judged.settled || (await this.#redeemAlone(judged)))) {
      this.#countReplay();
      throw replayedCode();
    }
    const { issued } = judged;
    const scopes = effectiveScopes(issued.scopes, issued.holder);
    const grant = { ...issued, uuid: issued.familyUuid };
    return tokenSetOf(this.#context, grant, scopes, refreshToken, proof?.keyThumbprint);
  }

  async #attempt(attempts: readonly Attempt[]): Promise<readonly PromiseSettledResult<Judged>[]> {
    const { database } = this.#context;
    const codes = attempts.map(({ exchange }) => exchange.code);
    const issuedCodes = await database.read((query) => findCodes(query, codes));
    const results = await Promise.allSettled(
      attempts.map((attempt, index) => this.#judge(attempt, issuedCodes[index])),
    );
    return applyTogether(database, results, ({ verdict }) => verdict === "redeem", redeem);
  }

  /** @throws OAuthError, ServiceError. */
  async #judge(attempt: Attempt, issued: IssuedCode | undefined): Promise<Judged> {
    await requireNamedClient(this.#context, attempt.exchange, issued?.holder);
    if (issued === undefined) throw unknownCode();
    requireTokenEndpoint(attempt.exchange, issued.holder);
    const { exchange, proof, nowMs } = attempt;
    const verdict = judgeExchange(exchange, issued, nowMs, proof);
    // A replay is never limited: a thief who uses tokens up to the limit must not prevent their revocation.
    if (verdict === "redeem") await this.#context.rateLimits.take("token_account", rateLimitKey(issued.holder));
    if (verdict === "redeem" && proof !== undefined) await useProof(this.#context, proof);
    return { ...attempt, issued, verdict, settled: false };
  }

  /** Redeems a code alone. @returns false for a replay, whose tokens are revoked now. */
  async #redeemAlone(judged: Judged): Promise<boolean> {
    const { exchange, issued, refreshToken, verdict, nowMs } = judged;
    const { database } = this.#context;
    return database.write(async (transaction) => {
      if (verdict === "redeem" && (await redeem(transaction, [judged], database.dialect)) === 1) return true;
      // If the outcome of a commit was lost, this exchange has redeemed the code. Otherwise another has, or it was withdrawn.
      if ((await familyOfRefreshToken(transaction, refreshToken)) !== undefined) return true;
      if ((await findCodes(transaction, [exchange.code]))[0] === undefined) throw unknownCode();
      await revokeReplayed(transaction, issued, nowMs);
      return false;
    });
  }
}

/**
 * Redeems codes and inserts their tokens in one transaction, so that no code is used up without tokens. If all of them are redeemed,
 * it also commits, in the message of the insertions.
 *
 * @returns how many codes were redeemed; the transaction must be rolled back unless it is all of them.
 */
async function redeem(
  transaction: Transaction<AuthSchema>,
  group: readonly Judged[],
  dialect: SqlDialect,
): Promise<number> {
  const nowMs = latestTime(group);
  const codes = group.map(({ exchange }) => exchange.code);
  const count = await redeemCodes(transaction, dialect, codes, nowMs);
  if (count !== group.length) return count;
  const families = group.map(({ issued, proof }) => ({ code: issued, keyThumbprint: familyKey(proof, issued.holder) }));
  const expiresAtMs = familyExpiry(nowMs);
  const tokens = group.map(({ refreshToken, issued: { familyUuid } }) => ({
    token: refreshToken,
    family: { uuid: familyUuid, expiresAtMs },
  }));
  const events = group.map(({ issued }) => ({ event: "tokens.issued" as const, ...eventOf(issued) }));
  await executeAndCommit(transaction, dialect, [
    familiesStatement(dialect, families, nowMs),
    refreshTokensStatement(dialect, tokens, nowMs),
    eventsStatement(dialect, events, nowMs),
  ]);
  return count;
}

/** Revokes what was issued for a code, and records it once: whoever has the code can send it as often as they like. */
async function revokeReplayed(transaction: Transaction<AuthSchema>, code: IssuedCode, nowMs: bigint): Promise<void> {
  if (await revokeFamily(transaction, code.familyUuid, nowMs))
    await recordEvent(transaction, { event: "code.replayed", ...eventOf(code) }, nowMs);
}

function eventOf({ holder, familyUuid }: IssuedCode) {
  const { accountUuid, clientUuid, saleUuid } = holder;
  return { accountUuid, clientUuid, saleUuid, details: { family: familyUuid } };
}
