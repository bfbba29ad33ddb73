import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { hexBytes } from "../../../common/platform/db/sql/hex-bytes.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthSchema, Int64, RefreshTokenTable } from "../base/schema.ts";
import { type IssuedRefreshToken, refreshExpiry, type TokenFamily } from "./refresh-rotation.ts";
import { familyOfRow, familyQuery } from "./token-families-store.ts";

export interface NewRefreshToken {
  /** The secret, of which only a hash is stored. */
  readonly token: string;
  readonly family: { readonly uuid: string; readonly expiresAtMs: bigint };
}

const REFRESH_TOKEN = tableTarget<RefreshTokenTable>("refresh_token", {
  token: "key",
  family: "value",
  created_at_ms: "value",
  expires_at_ms: "value",
  used_at_ms: "value",
});

/** Builds the statement that inserts refresh tokens. @param tokens at least one */
export function refreshTokensStatement(
  dialect: SqlDialect,
  tokens: readonly NewRefreshToken[],
  nowMs: bigint,
): CompiledQuery {
  const rows = tokens.map(({ token, family }) => ({
    token: opaqueTokenHash(token),
    family: hexBytes(family.uuid),
    created_at_ms: nowMs,
    expires_at_ms: refreshExpiry(family.expiresAtMs, nowMs),
    used_at_ms: null,
  }));
  return insertStatement(dialect, REFRESH_TOKEN, rows);
}

/** A presented token and its successor. */
export interface RefreshStep {
  readonly token: string;
  readonly successor: string;
}

/** Finds refresh tokens with their families and the state of their successors, in one statement. */
export async function findRefreshTokens(
  query: Kysely<AuthSchema>,
  steps: readonly RefreshStep[],
): Promise<readonly (IssuedRefreshToken | undefined)[]> {
  const presented = steps.map(({ token }) => opaqueTokenHash(token));
  const next = steps.map(({ successor }) => opaqueTokenHash(successor));
  const rows = await familyQuery(query)
    .innerJoin("refresh_token as presented", "presented.family", "token_family.family")
    .select(["presented.token", "presented.expires_at_ms", "presented.used_at_ms", "token_family.dpop_bound_at_ms"])
    .where("presented.token", "in", [...presented, ...next])
    .execute();
  const rowByHash = new Map(rows.map((row) => [hexOfBytes(row.token), row]));
  return steps.map((_, index) => {
    const row = rowByHash.get(hexOfBytes(presented[index] ?? Buffer.alloc(0)));
    const successor = rowByHash.get(hexOfBytes(next[index] ?? Buffer.alloc(0)));
    if (row === undefined) return undefined;
    const family = familyOfRow(row);
    return {
      family,
      keyThumbprint: isBound(row) ? family.keyThumbprint : undefined,
      expiresAtMs: BigInt(row.expires_at_ms),
      usedAtMs: row.used_at_ms === null ? undefined : BigInt(row.used_at_ms),
      successorUnused: successor !== undefined && successor.used_at_ms === null,
    };
  });
}

/** Whether a token is bound to the key of its family: if that was bound later, all but those that were used until then. */
function isBound({
  used_at_ms: usedAtMs,
  dpop_bound_at_ms: boundAtMs,
}: {
  readonly used_at_ms: Int64 | null;
  readonly dpop_bound_at_ms: Int64 | null;
}): boolean {
  return usedAtMs === null || boundAtMs === null || BigInt(usedAtMs) > BigInt(boundAtMs);
}

/** A refresh token as its row says. */
interface PresentedRefreshToken {
  readonly family: TokenFamily;
  readonly isUsed: boolean;
  readonly issuedAtMs: bigint;
  readonly expiresAtMs: bigint;
}

/** Finds a refresh token that is only looked at, not used. That of a deleted account isn't found. */
export async function findPresentedRefreshToken(
  query: Kysely<AuthSchema>,
  token: string,
): Promise<PresentedRefreshToken | undefined> {
  const row = await familyQuery(query)
    .innerJoin("refresh_token as presented", "presented.family", "token_family.family")
    .select(["presented.created_at_ms as issued_at_ms", "presented.expires_at_ms", "presented.used_at_ms"])
    .where("presented.token", "=", opaqueTokenHash(token))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { issued_at_ms: issuedAtMs, expires_at_ms: expiresAtMs, used_at_ms: usedAtMs } = row;
  const times = { issuedAtMs: BigInt(issuedAtMs), expiresAtMs: BigInt(expiresAtMs) };
  return { family: familyOfRow(row), isUsed: usedAtMs !== null, ...times };
}

/** Returns the family of a refresh token, used or not. */
export async function familyOfRefreshToken(query: Kysely<AuthSchema>, token: string): Promise<string | undefined> {
  const row = await query
    .selectFrom("refresh_token")
    .select("family")
    .where("token", "=", opaqueTokenHash(token))
    .executeTakeFirst();
  return row && uuidFromBytes(row.family);
}

/** Marks refresh tokens as used. Of concurrent calls for the same token, one succeeds. @returns how many were unused. */
export async function useRefreshTokens(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  tokens: readonly string[],
  nowMs: bigint,
): Promise<number> {
  const bound = new BoundValues(dialect);
  const text = `update refresh_token set used_at_ms = ${bound.one(nowMs)} where token in ${bound.list(tokens.map(opaqueTokenHash))}
    and used_at_ms is null and expires_at_ms > ${bound.one(nowMs)}`;
  const { numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, bound.parameters));
  return Number(numAffectedRows);
}

export function expiredRefreshTokens(nowMs: bigint): ExpiredRows {
  return { table: "refresh_token", ageColumn: "expires_at_ms", cutoff: nowMs };
}
