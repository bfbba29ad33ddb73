import type { Transaction } from "kysely";
import type { AgedRows } from "../../shared/db/expired-rows.ts";
import { bytesOfHex, hexOfBytes } from "../../shared/encoding/hex.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema, SignInTable } from "../base/schema.ts";
import { CODE_LIFETIME_MS, CODE_TRIES, isCorrectCode, oneTimeCodeMac } from "./one-time-code.ts";

export interface NewSignIn {
  /** The secret that names it. */
  readonly handle: string;
  readonly browserToken: string;
  readonly purpose: SignInTable["purpose"];
  /** Only of an `email_change`: whose address is changed. */
  readonly accountUuid?: string;
  /** The address that the code goes to. */
  readonly email: string;
  readonly code: string;
}

/** Keeps what a code will be checked by, and not the code. @param key `DerivedKeys.oneTimeCode`. @returns when it expires. */
export async function insertSignIn(
  database: AuthDatabase,
  key: Uint8Array,
  signIn: NewSignIn,
  nowMs: bigint,
): Promise<bigint> {
  const hash = opaqueTokenHash(signIn.handle);
  const expiresAtMs = nowMs + CODE_LIFETIME_MS;
  const row = {
    sign_in: hash,
    browser: opaqueTokenHash(signIn.browserToken),
    purpose: signIn.purpose,
    account: signIn.accountUuid === undefined ? null : bytesOfHex(signIn.accountUuid),
    email: signIn.email,
    code_mac: oneTimeCodeMac(key, hash, signIn.code),
    tries: 0,
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
  };
  try {
    await database.write((transaction) => transaction.insertInto("sign_in").values(row).execute());
  } catch (error) {
    // The handle is random: what is there under it is this row, of an attempt whose outcome was lost.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
  return expiresAtMs;
}

/** A code that was entered. */
export interface CodeEntry {
  readonly handle: string;
  readonly browserToken: string;
  readonly purpose: SignInTable["purpose"];
  /** Only for an `email_change`: who changes the address. */
  readonly accountUuid?: string;
  readonly code: string;
}

/** How an entry ended; `new_code_required`: too old, tried too often, of another browser or account, used or unknown. */
export type CodeOutcome =
  | { readonly result: "correct"; readonly email: string }
  | { readonly result: "wrong"; readonly triesLeft: number }
  | { readonly result: "new_code_required" };

/**
 * Checks a code. The try is counted, and committed, before the code is compared, so that guesses at the same time can't
 * be more than 5 together. A right code is still there afterwards: `takeSignIn` uses it up.
 */
export async function checkCode(
  database: AuthDatabase,
  key: Uint8Array,
  entry: CodeEntry,
  nowMs: bigint,
): Promise<CodeOutcome> {
  const row = await countTry(database, entry, nowMs);
  if (row === undefined) return { result: "new_code_required" };
  if (isCorrectCode(key, row.sign_in, entry.code, row.code_mac)) return { result: "correct", email: row.email };
  const triesLeft = CODE_TRIES - Number(row.tries);
  return triesLeft > 0 ? { result: "wrong", triesLeft } : { result: "new_code_required" };
}

/** @returns the sign-in, this try counted; undefined where there is none that can still be tried. */
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
      .where("tries", "<", CODE_TRIES)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return undefined;
    return transaction.selectFrom("sign_in").selectAll().where("sign_in", "=", hash).executeTakeFirst();
  });
}

/** Uses a sign-in up. @returns whether it was there: false for whoever comes second with the same right code. */
export async function takeSignIn(transaction: Transaction<AuthSchema>, handle: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("sign_in")
    .where("sign_in", "=", opaqueTokenHash(handle))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export function expiredSignIns(nowMs: bigint): AgedRows {
  return { table: "sign_in", ageColumn: "expires_at_ms", cutoff: nowMs };
}
