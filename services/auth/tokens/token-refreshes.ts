import type { Kysely, Transaction } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { eventsStatement, recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthSchema } from "../base/schema.ts";
import { type PresentedProof, useProof } from "../dpop/presented-proof.ts";
import { applyTogether, fulfilledValue, latestTime } from "./apply-together.ts";
import { familyKey } from "./key-binding.ts";
import { requireNamedClient, requireTokenEndpoint } from "./named-client.ts";
import {
  type IssuedRefreshToken,
  judgeRefresh,
  type RefreshVerdict,
  refreshedScopes,
  reusedRefreshToken,
  unknownRefreshToken,
} from "./refresh-rotation.ts";
import {
  findRefreshTokens,
  type RefreshStep,
  refreshTokensStatement,
  useRefreshTokens,
} from "./refresh-tokens-store.ts";
import { bindFamily, revokeFamily } from "./token-families-store.ts";
import { rateLimitKey } from "./token-holder.ts";
import type { TokenRefresh } from "./token-parameters.ts";
import { type TokenSet, tokenSetOf } from "./token-set.ts";

/** A requested refresh. */
interface Attempt {
  readonly refresh: TokenRefresh;
  readonly proof: PresentedProof | undefined;
  readonly successor: string;
  readonly nowMs: bigint;
}

/** A refresh that wasn't refused. */
interface Rotation extends Attempt {
  readonly token: IssuedRefreshToken;
  readonly verdict: RefreshVerdict;
  /** Whether nothing is left to do: the token was rotated in the transaction of its group, or this is a repeat. */
  readonly settled: boolean;
}

/**
 * Refreshes tokens (RFC 6749 section 6) and rotates the refresh token (RFC 9700 section 4.14.2). A refresh takes four
 * statements: it reads the token with its family and successor, marks it as used, and inserts the successor and the audit
 * row. They travel in three messages, the commit with the last one. Concurrent refreshes share them. The successor is derived from the token, so that a client that lost the
 * response gets the same one again.
 */
export class TokenRefreshes {
  readonly #context: AuthContext;
  readonly #countReuse: () => void;
  readonly #batcher = new Batcher((attempts: readonly Attempt[]) => this.#attempt(attempts));

  /** @param countReuse called for each token that is sent again after its use */
  constructor(context: AuthContext, countReuse: () => void) {
    this.#context = context;
    this.#countReuse = countReuse;
  }

  /**
   * @param proof that of the request; absent for one whose access token won't be bound to a key
   * @throws OAuthError `invalid_client`, `invalid_grant`, `invalid_request`, `invalid_scope`, `invalid_dpop_proof`. Reuse
   *   also revokes the family.
   * @throws ServiceError `resource_exhausted`, `unavailable`.
   */
  async refresh(refresh: TokenRefresh, proof?: PresentedProof): Promise<TokenSet> {
    const { clock, derivedKeys } = this.#context;
    const derived = successorOf(derivedKeys.refreshSuccessor, refresh);
    const rotation = fulfilledValue(await this.#batcher.run({ refresh, proof, successor: derived, nowMs: clock() }));
    const successor = rotation.settled ? rotation.successor : await this.#rotateAlone(rotation);
    if (successor === undefined) {
      this.#countReuse();
      throw reusedRefreshToken();
    }
    const { family } = rotation.token;
    return tokenSetOf(this.#context, family, refreshedScopes(refresh, family), successor, proof?.keyThumbprint);
  }

  async #attempt(attempts: readonly Attempt[]): Promise<readonly PromiseSettledResult<Rotation>[]> {
    const { database } = this.#context;
    const refreshTokens = await database.read((query) => findRefreshTokens(query, attempts.map(stepOf)));
    const results = await Promise.allSettled(
      attempts.map((attempt, index) => this.#judge(attempt, refreshTokens[index])),
    );
    return applyTogether(database, results, ({ verdict }) => verdict === "rotate", rotate);
  }

  /** @throws OAuthError, ServiceError. */
  async #judge(attempt: Attempt, token: IssuedRefreshToken | undefined): Promise<Rotation> {
    await requireNamedClient(this.#context, attempt.refresh, token?.family.holder);
    if (token === undefined) throw unknownRefreshToken();
    requireTokenEndpoint(attempt.refresh, token.family.holder);
    const { refresh, proof, nowMs } = attempt;
    const verdict = judgeRefresh(refresh, token, nowMs, proof);
    const other = verdict === "reuse" ? this.#byOtherKey(attempt) : undefined;
    if (other !== undefined)
      return this.#judge(other, await this.#context.database.read((query) => find(query, other)));
    // Reuse is never limited: a thief who uses tokens up to the limit must not prevent their revocation.
    if (verdict !== "reuse") await this.#context.rateLimits.take("token_account", rateLimitKey(token.family.holder));
    if (verdict !== "reuse" && proof !== undefined) await useProof(this.#context, proof);
    // A repeat never binds the family: somebody else may have the successor already, and no key.
    return { ...attempt, token, verdict, settled: verdict === "repeat" };
  }

  /** The attempt with the successor by the other `KEY_ENCRYPTION_KEY`; undefined without one, and if it has that already. */
  #byOtherKey<Known extends Attempt>(attempt: Known): Known | undefined {
    const { other } = this.#context.derivedKeys;
    const successor = other && successorOf(other.refreshSuccessor, attempt.refresh);
    return successor === undefined || successor === attempt.successor ? undefined : { ...attempt, successor };
  }

  /** Rotates a token alone. @returns its successor; undefined for a token that was used before, whose family is revoked now. */
  async #rotateAlone(rotation: Rotation): Promise<string | undefined> {
    const { verdict } = rotation;
    const { database } = this.#context;
    return database.write(async (transaction) => {
      if (verdict === "rotate") {
        if ((await rotate(transaction, [rotation], database.dialect)) === 1) return rotation.successor;
        // Of the other key: a process for which that is the present one may have rotated the token just now.
        for (const attempt of [rotation, this.#byOtherKey(rotation)]) {
          if (attempt !== undefined && (await isRepeat(transaction, attempt))) return attempt.successor;
        }
      }
      await revokeReused(transaction, rotation);
      return undefined;
    });
  }
}

function successorOf(key: Uint8Array, { refreshToken }: TokenRefresh): string {
  return macOf(key, refreshToken).toString("base64url");
}

function stepOf({ refresh, successor }: Attempt): RefreshStep {
  return { token: refresh.refreshToken, successor };
}

async function find(query: Kysely<AuthSchema>, attempt: Attempt): Promise<IssuedRefreshToken | undefined> {
  const [token] = await findRefreshTokens(query, [stepOf(attempt)]);
  return token;
}

/**
 * Rotates tokens in one transaction. If all of them were unused, it also commits, in the message of the insertions.
 *
 * @returns how many tokens were unused; the transaction must be rolled back unless it is all of them.
 * @throws OAuthError `invalid_grant` for a group of one whose family a concurrent refresh has bound to another key.
 */
async function rotate(
  transaction: Transaction<AuthSchema>,
  group: readonly Rotation[],
  dialect: SqlDialect,
): Promise<number> {
  const nowMs = latestTime(group);
  const presented = group.map(({ refresh }) => refresh.refreshToken);
  const count = await useRefreshTokens(transaction, dialect, presented, nowMs);
  if (count !== group.length) return count;
  const successors = group.map(({ successor, token }) => ({ token: successor, family: token.family }));
  for (const rotation of group) {
    if (await bind(transaction, rotation, nowMs)) continue;
    if (group.length === 1) throw unknownRefreshToken();
    return 0;
  }
  const events = group.map(({ token }) => ({ event: "tokens.refreshed" as const, ...eventOf(token) }));
  await executeAndCommit(transaction, dialect, [
    refreshTokensStatement(dialect, successors, nowMs),
    eventsStatement(dialect, events, nowMs),
  ]);
  return count;
}

/**
 * Binds the family of a refresh to the key of its first proof, if it isn't bound already and is to be bound.
 *
 * @param issuedAtMs the time at which the successor was issued, which is bound with it
 * @returns false if a concurrent refresh has bound it to another key
 */
async function bind(
  transaction: Transaction<AuthSchema>,
  { token: { family }, proof }: Rotation,
  issuedAtMs: bigint,
): Promise<boolean> {
  const key = family.keyThumbprint === undefined ? familyKey(proof, family.holder) : undefined;
  return key === undefined || bindFamily(transaction, family.uuid, key, issuedAtMs);
}

/** Whether a concurrent refresh has issued the same successor. It has committed: marking the token as used waits for it. */
async function isRepeat(transaction: Transaction<AuthSchema>, attempt: Attempt): Promise<boolean> {
  const token = await find(transaction, attempt);
  if (token === undefined) throw unknownRefreshToken();
  const verdict = judgeRefresh(attempt.refresh, token, attempt.nowMs, attempt.proof);
  if (verdict === "rotate") throw unknownRefreshToken();
  return verdict === "repeat";
}

/** Revokes the family of a token, and records it once: whoever has the token can send it as often as they like. */
async function revokeReused(transaction: Transaction<AuthSchema>, { token, nowMs }: Rotation): Promise<void> {
  if (await revokeFamily(transaction, token.family.uuid, nowMs))
    await recordEvent(transaction, { event: "tokens.reused", ...eventOf(token) }, nowMs);
}

function eventOf({ family }: IssuedRefreshToken) {
  const { accountUuid, clientUuid, saleUuid } = family.holder;
  return { accountUuid, clientUuid, saleUuid, details: { family: family.uuid } };
}
