import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { MAILED_CODE_LIFETIME_MS, MAILED_CODE_TRIES } from "../base/lifetimes.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema, SignInTable } from "../base/schema.ts";
import { isCorrectCode, oneTimeCodeMac } from "./one-time-code.ts";

const MAC_BYTES = 32;

export interface NewSignIn {
  /** The secret under which the browser continues the sign-in. */
  readonly handle: string;
  readonly browserToken: string;
  readonly purpose: SignInTable["purpose"];
  /** The account whose address changes; only for an `email_change`. */
  readonly accountUuid?: string;
  /** The address that the code goes to. */
  readonly email: string;
  /** Undefined for a sign-in that no code completes. */
  readonly code: string | undefined;
}

/**
 * Stores a sign-in with the MAC of its code, but not the code.
 *
 * @param key `DerivedKeys.oneTimeCode`.
 * @returns when the code expires, in milliseconds since 1970.
 */
export async function insertSignIn(
  database: AuthDatabase,
  key: Uint8Array,
  signIn: NewSignIn,
  nowMs: bigint,
): Promise<bigint> {
  const hash = opaqueTokenHash(signIn.handle);
  const expiresAtMs = nowMs + MAILED_CODE_LIFETIME_MS;
  const row = {
    sign_in: hash,
    browser: opaqueTokenHash(signIn.browserToken),
    purpose: signIn.purpose,
    account: signIn.accountUuid === undefined ? null : bytesOfHex(signIn.accountUuid),
    email: signIn.email,
    code_mac: signIn.code === undefined ? randomBytes(MAC_BYTES) : oneTimeCodeMac(key, hash, signIn.code),
    tries: 0,
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
  };
  try {
    await database.write((transaction) => transaction.insertInto("sign_in").values(row).execute());
  } catch (error) {
    // The handle is random, so the existing row is this one: an attempt whose outcome was lost has inserted it.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
  return expiresAtMs;
}

/** A code that a user entered. */
export interface CodeEntry {
  readonly handle: string;
  readonly browserToken: string;
  readonly purpose: SignInTable["purpose"];
  /** The account whose address changes; only for an `email_change`. */
  readonly accountUuid?: string;
  readonly code: string;
}

/**
 * The outcome of an entry. `new_code_required` says that the code is unknown, used up, expired, was tried too often, or
 * belongs to another browser or account.
 */
export type CodeOutcome =
  | { readonly result: "correct"; readonly email: string }
  | { readonly result: "wrong"; readonly triesLeft: number }
  | { readonly result: "new_code_required" };

/**
 * Checks a code. The try is counted and committed before the code is compared, so that concurrent guesses can't exceed 5
 * tries together. A correct code stays until `takeSignIn` uses it up.
 *
 * @param keys `DerivedKeys.oneTimeCode`, and that of the other `KEY_ENCRYPTION_KEY`
 */
export async function checkCode(
  database: AuthDatabase,
  keys: readonly Uint8Array[],
  entry: CodeEntry,
  nowMs: bigint,
): Promise<CodeOutcome> {
  const row = await countTry(database, entry, nowMs);
  if (row === undefined) return { result: "new_code_required" };
  const isCorrect = keys.some((key) => isCorrectCode(key, row.sign_in, entry.code, row.code_mac));
  if (isCorrect) return { result: "correct", email: row.email };
  const triesLeft = MAILED_CODE_TRIES - Number(row.tries);
  return triesLeft > 0 ? { result: "wrong", triesLeft } : { result: "new_code_required" };
}

/** Counts a try. @returns the sign-in; undefined where none can be tried with this entry. */
async function countTry(
  database: AuthDatabase,
  { handle, browserToken, purpose, accountUuid }: CodeEntry,
  nowMs: bigint,
): Promise<SignInTable | undefined> {
  const hash = opaqueTokenHash(handle);
  return database.writeExclusive(hexOfBytes(hash), async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("sign_in")
      .set((expression) => ({ tries: expression("tries", "+", 1) }))
      .where("sign_in", "=", hash)
      .where("browser", "=", opaqueTokenHash(browserToken))
      .where("purpose", "=", purpose)
      .where(
        "account",
        accountUuid === undefined ? "is" : "=",
        accountUuid === undefined ? null : bytesOfHex(accountUuid),
      )
      .where("expires_at_ms", ">", nowMs)
      .where("tries", "<", MAILED_CODE_TRIES)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return undefined;
    return transaction.selectFrom("sign_in").selectAll().where("sign_in", "=", hash).executeTakeFirst();
  });
}

/** Uses a sign-in up. @returns false where another call has used it up before. */
export async function takeSignIn(transaction: Transaction<AuthSchema>, handle: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("sign_in")
    .where("sign_in", "=", opaqueTokenHash(handle))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function expiredSignIns(nowMs: bigint): ExpiredRows {
  return { table: "sign_in", ageColumn: "expires_at_ms", cutoff: nowMs };
}
