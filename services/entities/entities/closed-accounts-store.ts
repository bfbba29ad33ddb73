import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ERASED_ACCOUNT_RETENTION_MS } from "../base/lifetimes.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../base/schema.ts";

/** An account that auth began to delete. */
export interface ClosedAccount {
  readonly accountUuid: string;
  readonly closedAtMs: bigint;
}

/**
 * Whether auth is deleting an account, or has deleted it. A transaction that issues a permit asks after `lockEntity`: closing
 * an account waits for that lock.
 */
export async function isAccountClosed(query: Kysely<EntitiesSchema>, accountUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("entities_account")
    .select("closed_at_ms")
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return isClosed(row);
}

/** Adds the row of an account, which `lockAccount` locks; does nothing if it is there. */
export async function ensureAccount(database: EntitiesDatabase, accountUuid: string): Promise<void> {
  const account = bytesOfHex(accountUuid);
  const stored = await database.read((query) =>
    query.selectFrom("entities_account").select("account").where("account", "=", account).executeTakeFirst(),
  );
  if (stored !== undefined) return;
  const row = { account, closed_at_ms: null, erased_at_ms: null, locks: null };
  try {
    await database.write((transaction) => transaction.insertInto("entities_account").values(row).execute());
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
}

/**
 * Locks an account until the end of the transaction, so that new entities, its closing and its erasure run one after another.
 * `ensureAccount` comes before the transaction.
 *
 * @returns whether it is closed
 */
export async function lockAccount(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  accountUuid: string,
): Promise<{ readonly closed: boolean }> {
  const account = bytesOfHex(accountUuid);
  const query = transaction.selectFrom("entities_account").select("closed_at_ms").where("account", "=", account);
  const rows = await executeNamed(transaction, dialect, {
    lock: lockRowsStatement(dialect, { table: "entities_account", column: "account", values: [account] }),
    account: query.compile(),
  });
  return { closed: isClosed(rows.account[0]) };
}

/** Closes an account, which the transaction must have locked. */
export async function storeClosed(
  transaction: Transaction<EntitiesSchema>,
  { accountUuid, closedAtMs }: ClosedAccount,
): Promise<void> {
  await transaction
    .updateTable("entities_account")
    .set({ closed_at_ms: closedAtMs })
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}

/** Marks an account, which the transaction must have locked, as deleted for good. */
export async function storeErased(
  transaction: Transaction<EntitiesSchema>,
  accountUuid: string,
  nowMs: bigint,
): Promise<void> {
  await transaction
    .updateTable("entities_account")
    .set({ closed_at_ms: nowMs, erased_at_ms: nowMs })
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}

/** Returns accounts that were closed at or before a time and aren't erased, the longest closed first. */
export async function readClosedAccounts(
  query: Kysely<EntitiesSchema>,
  closedUntilMs: bigint,
  limit: number,
): Promise<readonly ClosedAccount[]> {
  const rows = await query
    .selectFrom("entities_account")
    .select(["account", "closed_at_ms"])
    .where("erased_at_ms", "is", null)
    .where("closed_at_ms", "<=", closedUntilMs)
    .orderBy("closed_at_ms")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ accountUuid: uuidFromBytes(row.account), closedAtMs: BigInt(row.closed_at_ms ?? 0n) }));
}

/** Opens an account again, unless it was closed once more or erased since it was read. */
export async function reopen(
  transaction: Transaction<EntitiesSchema>,
  { accountUuid, closedAtMs }: ClosedAccount,
): Promise<void> {
  await transaction
    .updateTable("entities_account")
    .set({ closed_at_ms: null })
    .where("account", "=", bytesOfHex(accountUuid))
    .where("closed_at_ms", "=", closedAtMs)
    .where("erased_at_ms", "is", null)
    .execute();
}

export function expiredErasedAccounts(nowMs: bigint): ExpiredRows {
  return { table: "entities_account", ageColumn: "erased_at_ms", cutoff: nowMs - ERASED_ACCOUNT_RETENTION_MS };
}

function isClosed(row: { readonly closed_at_ms: bigint | string | null } | undefined): boolean {
  return row !== undefined && row.closed_at_ms !== null;
}
