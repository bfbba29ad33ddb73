import { type Kysely, sql, type Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";

/** Whether a person was invited as a founder. */
export async function isFounder(query: Kysely<AuthSchema>, accountUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("founder")
    .select("account")
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes a person a founder; changes nothing for one who is a founder already. */
export async function storeFounder(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  accountUuid: string,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .insertInto("founder")
    .values({ account: bytesOfHex(accountUuid), invited_at_ms: nowMs })
    .modifyEnd(sql.raw(dialect.upsertClause(["account"], ["account"])))
    .execute();
}

export async function deleteFounder(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("founder").where("account", "=", bytesOfHex(accountUuid)).execute();
}
