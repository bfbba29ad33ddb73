import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { USED_JWT_ID_RETENTION_MS } from "./lifetimes.ts";
import type { AuthSchema, UsedJwtIdTable } from "./schema.ts";

/** A JWT that may be used once only. */
export interface SingleUseJwt {
  readonly purpose: "client_assertion" | "dpop_proof";
  /** Whose `jwtId` it is: a client's UUID, or the thumbprint of a key. */
  readonly owner: string;
  /** The `jti`, which its owner chose. */
  readonly jwtId: string;
  /** The time from which the JWT is refused anyway. Milliseconds since 1970. */
  readonly expiresAtMs: bigint;
  /** The request that the JWT came with: a repeated call for the same request is no second use. Absent where none is repeated. */
  readonly requestId?: string;
}

const USED_JWT_ID = tableTarget<UsedJwtIdTable>("used_jwt_id", {
  used_jwt_id: "key",
  expires_at_ms: "value",
  request_id: "value",
});

/**
 * Stores that JWTs were used, and commits, in one message.
 *
 * @param jwts at least one
 * @throws an error for which `isDuplicateKey` is true if one of them was used before.
 */
export async function insertUsedJwtIds(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  jwts: readonly SingleUseJwt[],
): Promise<void> {
  const rows = jwts.map((jwt) => ({
    used_jwt_id: usedJwtId(jwt),
    expires_at_ms: jwt.expiresAtMs,
    request_id: jwt.requestId ?? null,
  }));
  await executeAndCommit(transaction, dialect, [insertStatement(dialect, USED_JWT_ID, rows)]);
}

/** Whether a JWT was used by the request that it comes with now. */
export async function isUsedByItsRequest(query: Kysely<AuthSchema>, jwt: SingleUseJwt): Promise<boolean> {
  const { requestId } = jwt;
  if (requestId === undefined) return false;
  const row = await query
    .selectFrom("used_jwt_id")
    .select("request_id")
    .where("used_jwt_id", "=", usedJwtId(jwt))
    .executeTakeFirst();
  return row?.request_id === requestId;
}

/** A hash, so that IDs of any length and with any characters are compared exactly in both databases. */
function usedJwtId({ purpose, owner, jwtId }: SingleUseJwt): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([purpose, owner, jwtId]))
    .digest();
}

export function expiredJwtIds(nowMs: bigint): ExpiredRows {
  return { table: "used_jwt_id", ageColumn: "expires_at_ms", cutoff: nowMs - USED_JWT_ID_RETENTION_MS };
}
