import { randomUUID } from "node:crypto";
import type { CompiledQuery, Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { lockRowsStatement } from "../../../common/platform/db/sql/lock-rows.ts";
import { executeNamed } from "../../../common/platform/db/sql/statement-batch.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AccountTable, AuthSchema } from "../base/schema.ts";
import type { Session } from "../sessions/session.ts";

/** The account of a person. */
export interface Account {
  readonly uuid: string;
  /** Normalised by `parseEmailAddress`. */
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: bigint;
}

export async function findAccount(query: Kysely<AuthSchema>, accountUuid: string): Promise<Account | undefined> {
  const row = await query
    .selectFrom("account")
    .selectAll()
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return row && accountOfRow(row);
}

/** Returns the accounts that exist, in no particular order. @param accountUuids at least one */
export async function findAccounts(
  query: Kysely<AuthSchema>,
  accountUuids: readonly string[],
): Promise<readonly Account[]> {
  const rows = await query
    .selectFrom("account")
    .selectAll()
    .where("account", "in", accountUuids.map(bytesOfHex))
    .execute();
  return rows.map(accountOfRow);
}

/** Returns the account of an address. @param email normalised by `parseEmailAddress`. */
export async function findAccountByEmail(query: Kysely<AuthSchema>, email: string): Promise<Account | undefined> {
  const row = await query.selectFrom("account").selectAll().where("email", "=", email).executeTakeFirst();
  return row && accountOfRow(row);
}

/**
 * Returns the account of an address, and creates it if there is none.
 *
 * @param email normalised by `parseEmailAddress`.
 */
export async function findOrCreateAccount(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  email: string,
  nowMs: bigint,
): Promise<Account> {
  const found = await findAccountByEmail(transaction, email);
  if (found !== undefined) return found;
  const account = { uuid: randomUUID(), email, createdAtMs: nowMs };
  if (await insertAccount(transaction, dialect, account)) {
    await recordEvent(transaction, { event: "account.created", accountUuid: account.uuid }, nowMs);
    return account;
  }
  // Another transaction has inserted the account. It has committed, because the insert waits for it otherwise.
  const existing = await findAccountByEmail(transaction, email);
  if (existing === undefined) throw new Error("the account that caused the duplicate key has gone");
  return existing;
}

/** @returns false where another account has the address. */
async function insertAccount(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { uuid, email, createdAtMs }: Account,
): Promise<boolean> {
  try {
    const row = { account: bytesOfHex(uuid), email, created_at_ms: createdAtMs };
    await transaction.insertInto("account").values(row).execute();
    return true;
  } catch (error) {
    if (dialect.isDuplicateKey(error)) return false;
    throw error;
  }
}

/** @returns false where another account has the address. */
export async function changeEmail(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  accountUuid: string,
  email: string,
): Promise<boolean> {
  try {
    await transaction.updateTable("account").set({ email }).where("account", "=", bytesOfHex(accountUuid)).execute();
    return true;
  } catch (error) {
    if (dialect.isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Locks an account until the end of the transaction, so that its deletion and a transaction that adds something to it run
 * one after the other.
 *
 * @returns whether the account exists.
 */
export async function lockAccount(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  accountUuid: string,
): Promise<boolean> {
  return (await lockedAccount(transaction, dialect, accountUuid)) !== undefined;
}

/**
 * `lockAccount` for the account of a session.
 *
 * @returns false also where the account requires a passkey, and the session began with a code
 */
export async function lockAccountOf(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { accountUuid, authenticatedBy }: Pick<Session, "accountUuid" | "authenticatedBy">,
): Promise<boolean> {
  return admits(await lockedAccount(transaction, dialect, accountUuid), { authenticatedBy });
}

/** Whether a locked account exists, and a session that began so may use it. */
export function admits(
  account: Pick<AccountTable, "passkey_required"> | undefined,
  { authenticatedBy }: Pick<Session, "authenticatedBy">,
): boolean {
  if (account === undefined) return false;
  return authenticatedBy === "passkey" || Number(account.passkey_required ?? 0) === 0;
}

/** Locks an account and reads it, with one message. */
async function lockedAccount(transaction: Transaction<AuthSchema>, dialect: SqlDialect, accountUuid: string) {
  const rows = await executeNamed(transaction, dialect, {
    lock: accountLock(dialect, accountUuid),
    account: lockedAccounts(transaction, accountUuid).compile(),
  });
  return rows.account[0];
}

/** Builds the statement that locks an account, for a message with that which reads it. */
export function accountLock(dialect: SqlDialect, accountUuid: string): CompiledQuery | undefined {
  return lockRowsStatement(dialect, { table: "account", column: "account", values: [bytesOfHex(accountUuid)] });
}

/** Selects what `admits` reads of an account that was locked before. */
export function lockedAccounts(query: Kysely<AuthSchema>, accountUuid: string) {
  return query
    .selectFrom("account")
    .select("account.passkey_required")
    .where("account.account", "=", bytesOfHex(accountUuid));
}

export async function deleteAccountRow(transaction: Transaction<AuthSchema>, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("account").where("account", "=", bytesOfHex(accountUuid)).execute();
}

function accountOfRow(row: AccountTable): Account {
  return { uuid: uuidFromBytes(row.account), email: row.email, createdAtMs: BigInt(row.created_at_ms) };
}

/** Whether the owner of an account lets nobody sign in without a passkey. */
export async function requiresPasskey(query: Kysely<AuthSchema>, accountUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("account")
    .select("passkey_required")
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return Number(row?.passkey_required ?? 0) === 1;
}

/** Stores whether an account requires a passkey. The transaction must have locked the account. */
export async function storePasskeyRequirement(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  required: boolean,
): Promise<void> {
  await transaction
    .updateTable("account")
    .set({ passkey_required: required ? 1 : 0 })
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}
