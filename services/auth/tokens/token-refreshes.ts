import type { Transaction } from "kysely";
import { Batcher } from "../../shared/concurrency/batcher.ts";
import { recordEvent, recordEvents } from "../base/audit-store.ts";
import { macOf } from "../base/derived-keys.ts";
import type { AuthSchema } from "../base/schema.ts";
import { applyTogether, fulfilledValue, latest } from "./apply-together.ts";
import type { TokenDependencies } from "./dependencies.ts";
import {
  type IssuedRefreshToken,
  judgeRefresh,
  type RefreshVerdict,
  refreshedScopes,
  reusedRefreshToken,
  unknownRefreshToken,
} from "./refresh-rotation.ts";
import { findRefreshTokens, insertRefreshTokens, useRefreshTokens } from "./refresh-tokens-store.ts";
import { revokeFamily } from "./token-families-store.ts";
import type { TokenRefresh } from "./token-parameters.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/** A refresh that was asked for. */
interface Attempt {
  readonly refresh: TokenRefresh;
  readonly successor: string;
  readonly nowMs: bigint;
}

/** One that wasn't refused. */
interface Rotation extends Attempt {
  readonly token: IssuedRefreshToken;
  readonly verdict: RefreshVerdict;
  /** Nothing is left to be done: it was rotated together with others, or is a repeat. */
  readonly settled: boolean;
}

/**
 * Refreshes tokens (RFC 6749 section 6), rotating the refresh token (RFC 9700 section 4.14.2). Four statements: the token
 * with its family and successor, its use, the successor, audit; those of refreshes at the same time are shared. As the
 * successor comes from the token itself, a client that lost the answer gets the same one again.
 */
export class TokenRefreshes {
  readonly #deps: TokenDependencies;
  readonly #batcher = new Batcher((attempts: readonly Attempt[]) => this.#attempt(attempts));

  constructor(deps: TokenDependencies) {
    this.#deps = deps;
  }

  /**
   * @throws OAuthError `invalid_grant`, `invalid_scope`; reuse revokes the family before it is refused.
   * @throws ServiceError `resource_exhausted`, `unavailable`.
   */
  async refresh(refresh: TokenRefresh): Promise<TokenSet> {
    const { clock, derivedKeys, accessTokens } = this.#deps;
    const successor = macOf(derivedKeys.refreshSuccessor, refresh.refreshToken).toString("base64url");
    const rotation = fulfilledValue(await this.#batcher.run({ refresh, successor, nowMs: clock() }));
    if (!(rotation.settled || (await this.#isSettled(rotation)))) throw reusedRefreshToken();
    const { family } = rotation.token;
    return tokenSetOf(accessTokens, family, refreshedScopes(refresh, family), successor);
  }

  async #attempt(attempts: readonly Attempt[]): Promise<readonly PromiseSettledResult<Rotation>[]> {
    const { database } = this.#deps;
    const steps = attempts.map(({ refresh, successor }) => ({ token: refresh.refreshToken, successor }));
    const found = await database.read((query) => findRefreshTokens(query, steps));
    const results = await Promise.allSettled(attempts.map((attempt, index) => this.#judge(attempt, found[index])));
    return applyTogether(database, results, ({ verdict }) => verdict === "rotate", rotate);
  }

  /** @throws OAuthError, ServiceError. */
  async #judge(attempt: Attempt, token: IssuedRefreshToken | undefined): Promise<Rotation> {
    if (token === undefined) throw unknownRefreshToken();
    const verdict = judgeRefresh(attempt.refresh, token, attempt.nowMs);
    // Reuse is always heard, however much a thief has used the family.
    if (verdict !== "reuse") await this.#deps.rateLimits.take("token_account", token.family.holder.accountUuid);
    return { ...attempt, token, verdict, settled: verdict === "repeat" };
  }

  /** @returns false where the token was used before, and its family is revoked now. */
  async #isSettled(rotation: Rotation): Promise<boolean> {
    const { verdict } = rotation;
    return this.#deps.database.write(async (transaction) => {
      if (verdict === "rotate" && (await rotate(transaction, [rotation])) === 1) return true;
      if (verdict === "rotate" && (await repeats(transaction, rotation))) return true;
      await revokeReused(transaction, rotation);
      return false;
    });
  }
}

/** @returns how many of the tokens were there to be used; where some weren't, the transaction must not be committed. */
async function rotate(transaction: Transaction<AuthSchema>, group: readonly Rotation[]): Promise<number> {
  const nowMs = latest(group);
  const presented = group.map(({ refresh }) => refresh.refreshToken);
  const count = await useRefreshTokens(transaction, presented, nowMs);
  if (count !== group.length) return count;
  const successors = group.map(({ successor, token }) => ({ token: successor, family: token.family }));
  await insertRefreshTokens(transaction, successors, nowMs);
  const events = group.map(({ token }) => ({ event: "tokens.refreshed" as const, ...eventOf(token) }));
  await recordEvents(transaction, events, nowMs);
  return count;
}

/** Another refresh was faster; it is committed by now, or the attempt to use the token would still wait for it. */
async function repeats(
  transaction: Transaction<AuthSchema>,
  { refresh, successor, nowMs }: Rotation,
): Promise<boolean> {
  const [token] = await findRefreshTokens(transaction, [{ token: refresh.refreshToken, successor }]);
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
