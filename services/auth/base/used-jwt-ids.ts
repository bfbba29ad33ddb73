import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import { tableTarget } from "../../../common/platform/db/sql/table-target.ts";
import { insertStatement } from "../../../common/platform/db/sql/upsert.ts";
import { USED_JWT_ID_RETENTION_MS } from "./lifetimes.ts";
import type { AuthDatabase, AuthSchema, UsedJwtIdTable } from "./schema.ts";

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

/**
 * The JWTs that were used, by all processes. A use takes one statement; concurrent uses share it. A JWT counts as used from then
 * on, even if the database's answer is lost: its owner makes another one.
 */
export class UsedJwtIds {
  readonly #database: AuthDatabase;
  readonly #batcher = new Batcher((jwts: readonly SingleUseJwt[]) => this.#useAll(jwts));

  constructor(database: AuthDatabase) {
    this.#database = database;
  }

  /**
   * Uses a JWT. Of concurrent uses of the same one, one succeeds.
   *
   * @returns false if it was used before, by another request
   * @throws ServiceError `unavailable`
   */
  use(jwt: SingleUseJwt): Promise<boolean> {
    return this.#batcher.run(jwt);
  }

  async #useAll(jwts: readonly SingleUseJwt[]): Promise<readonly boolean[]> {
    if (await this.#insert(jwts)) return jwts.map(() => true);
    const used: boolean[] = [];
    for (const jwt of jwts) used.push(await this.#useAlone(jwt, jwts.length === 1));
    return used;
  }

  /** @param isStored whether it is known to be stored */
  async #useAlone(jwt: SingleUseJwt, isStored: boolean): Promise<boolean> {
    if (!isStored && (await this.#insert([jwt]))) return true;
    return this.#database.read((query) => isUsedByItsRequest(query, jwt));
  }

  /** @returns false, having stored none of them, if one was used before */
  async #insert(jwts: readonly SingleUseJwt[]): Promise<boolean> {
    try {
      const { dialect } = this.#database;
      await this.#database.write((transaction) => insertUsedJwtIds(transaction, dialect, jwts));
      return true;
    } catch (error) {
      if (this.#database.dialect.isDuplicateKey(error)) return false;
      throw error;
    }
  }
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
async function insertUsedJwtIds(
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
async function isUsedByItsRequest(query: Kysely<AuthSchema>, jwt: SingleUseJwt): Promise<boolean> {
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
