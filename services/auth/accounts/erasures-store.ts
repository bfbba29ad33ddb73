import type { Kysely, Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AuthSchema } from "../base/schema.ts";

/** A deleted account whose entities must be deleted too. */
export interface PendingErasure {
  readonly accountUuid: string;
  readonly attempts: number;
}

/** Stores that the entities of an account must be deleted. In the transaction that deletes the account. */
export async function storeErasure(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  nowMs: bigint,
): Promise<void> {
  const row = { account: bytesOfHex(accountUuid), attempts: 0, next_attempt_at_ms: nowMs };
  await transaction.insertInto("account_erasure").values(row).execute();
}

/** Returns the erasures that may be tried now, the longest due first. */
export async function readDueErasures(
  query: Kysely<AuthSchema>,
  nowMs: bigint,
  limit: number,
): Promise<readonly PendingErasure[]> {
  const rows = await query
    .selectFrom("account_erasure")
    .select(["account", "attempts"])
    .where("next_attempt_at_ms", "<=", nowMs)
    .orderBy("next_attempt_at_ms")
    .limit(limit)
    .execute();
  return rows.map(({ account, attempts }) => ({ accountUuid: uuidFromBytes(account), attempts: Number(attempts) }));
}

export async function postponeErasure(
  transaction: Transaction<AuthSchema>,
  { accountUuid, attempts }: PendingErasure,
  nextAttemptAtMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("account_erasure")
    .set({ attempts: attempts + 1, next_attempt_at_ms: nextAttemptAtMs })
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}

export async function deleteErasure(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("account_erasure").where("account", "=", bytesOfHex(accountUuid)).execute();
}
