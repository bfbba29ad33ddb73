import type { Transaction } from "kysely";
import { GroupQueue } from "../../shared/group-queue.ts";
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
import { recordEvent, recordEvents } from "../store/audit.ts";
import { findRefreshTokens, insertRefreshTokens, type RefreshStep, useRefreshTokens } from "../store/refresh-tokens.ts";
import type { AuthSchema } from "../store/schema.ts";
import { revokeFamily } from "../store/token-families.ts";
import { allOrNone, latest } from "./all-or-none.ts";
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
 * with its family and successor, its use, the successor, audit; those of refreshes at the same time are shared. As the
 * successor comes from the token itself, a client that lost the answer gets the same one again.
 */
export class TokenRefreshes {
  readonly #deps: Dependencies;
  readonly #tokens: GroupQueue<RefreshStep, IssuedRefreshToken | undefined>;
  readonly #rotations: GroupQueue<Rotation, boolean>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { database } = deps;
    this.#tokens = new GroupQueue((steps) => database.read((query) => findRefreshTokens(query, steps)));
    this.#rotations = new GroupQueue((group) =>
      allOrNone(database, group, (transaction) => rotated(transaction, group)),
    );
  }

  /**
   * @throws OAuthRefusal `invalid_grant`, `invalid_scope`; reuse revokes the family before it is refused.
   * @throws ServiceError `resource_exhausted`, `unavailable`.
   */
  async refresh(refresh: TokenRefresh): Promise<TokenSet> {
    const { clock, derivedKeys, rateLimits, accessTokens } = this.#deps;
    const nowMs = clock();
    const successor = macOf(derivedKeys.refreshSuccessor, refresh.refreshToken).toString("base64url");
    const token = await this.#tokens.run({ token: refresh.refreshToken, successor });
    if (token === undefined) throw unknownRefreshToken();
    const verdict = judgeRefresh(refresh, token, nowMs);
    const { family } = token;
    // Reuse is always heard, however much a thief has used the family.
    if (verdict !== "reuse") await rateLimits.take("token_account", family.holder.accountUuid);
    if (!(await this.#isSettled({ refresh, token, successor, nowMs }, verdict))) throw reuseRefusal();
    return tokenSetOf(accessTokens, family, refreshedScopes(refresh, family), successor);
  }

  /** @returns false where the token was used before, and its family is revoked now. */
  async #isSettled(rotation: Rotation, verdict: RefreshVerdict): Promise<boolean> {
    if (verdict === "repeat") return true;
    if (verdict === "rotate" && (await this.#rotations.run(rotation))) return true;
    return this.#deps.database.write(async (transaction) => {
      if (verdict === "rotate" && (await rotated(transaction, [rotation])) === 1) return true;
      if (verdict === "rotate" && (await repeats(transaction, rotation))) return true;
      await revokeReused(transaction, rotation);
      return false;
    });
  }
}

/** @returns how many of the tokens were there to be used; where some weren't, the transaction must not be committed. */
async function rotated(transaction: Transaction<AuthSchema>, group: readonly Rotation[]): Promise<number> {
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
