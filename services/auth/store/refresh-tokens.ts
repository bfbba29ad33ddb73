import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../shared/hex.ts";
import { uuidFromBytes } from "../../shared/uuid.ts";
import { type IssuedRefreshToken, refreshExpiry } from "../domain/refresh-rotation.ts";
import { opaqueTokenHash } from "../opaque-token.ts";
import type { AuthSchema } from "./schema.ts";
import { familyOfRow, familyQuery } from "./token-families.ts";

export interface NewRefreshToken {
  /** The secret. */
  readonly token: string;
  readonly family: { readonly uuid: string; readonly expiresAtMs: bigint };
}

export async function insertRefreshToken(
  transaction: Transaction<AuthSchema>,
  { token, family }: NewRefreshToken,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .insertInto("refresh_token")
    .values({
      token: opaqueTokenHash(token),
      family: bytesOfHex(family.uuid),
      created_at_ms: nowMs,
      expires_at_ms: refreshExpiry(family.expiresAtMs, nowMs),
    })
    .execute();
}

/**
 * A refresh token with its family and the standing of its successor, in one statement.
 *
 * @param successor the token that its use gives.
 */
export async function findRefreshToken(
  query: Kysely<AuthSchema>,
  token: string,
  successor: string,
): Promise<IssuedRefreshToken | undefined> {
  const row = await familyQuery(query)
    .innerJoin("refresh_token as presented", "presented.family", "token_family.family")
    .leftJoin("refresh_token as next", (join) => join.on("next.token", "=", opaqueTokenHash(successor)))
    .select(["presented.expires_at_ms", "presented.used_at_ms"])
    .select(["next.token as next_token", "next.used_at_ms as next_used_at_ms"])
    .where("presented.token", "=", opaqueTokenHash(token))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    family: familyOfRow(row),
    expiresAtMs: BigInt(row.expires_at_ms),
    usedAtMs: row.used_at_ms === null ? undefined : BigInt(row.used_at_ms),
    successorUnused: row.next_token !== null && row.next_used_at_ms === null,
  };
}

/** The family of a refresh token, used or not. */
export async function familyOfRefreshToken(query: Kysely<AuthSchema>, token: string): Promise<string | undefined> {
  const row = await query
    .selectFrom("refresh_token")
    .select("family")
    .where("token", "=", opaqueTokenHash(token))
    .executeTakeFirst();
  return row && uuidFromBytes(row.family);
}

/** Uses a refresh token; of any number at once, one does. @returns whether it was this one. */
export async function useRefreshToken(
  transaction: Transaction<AuthSchema>,
  token: string,
  nowMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("refresh_token")
    .set({ used_at_ms: nowMs })
    .where("token", "=", opaqueTokenHash(token))
    .where("used_at_ms", "is", null)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
