import { randomBytes } from "node:crypto";
import type { Kysely, Selectable, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { MAILED_CODE_LIFETIME_MS, SIGN_IN_RETENTION_MS } from "../base/lifetimes.ts";
import { opaqueTokenHash } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema, SignInTable } from "../base/schema.ts";
import { type BegunSignIn, isTriable, signInState, triesSoFar } from "./begun-sign-in.ts";
import { isCorrectCode, oneTimeCodeMac } from "./one-time-code.ts";

const MAC_BYTES = 32;

/** The sign-ins of one browser that share their codes and their tries. */
export interface SignInKind {
  readonly browserToken: string;
  readonly purpose: SignInTable["purpose"];
  /** The account whose address changes; only for an `email_change`. */
  readonly accountUuid?: string;
  /** The address that the codes go to. */
  readonly email: string;
}

export interface NewSignIn extends SignInKind {
  /** The secret under which the browser continues the sign-in. */
  readonly handle: string;
  /** Undefined for a sign-in that no code of its own completes. */
  readonly code: string | undefined;
  /** Whether a code was sent, or seemed to be; false where those before it complete it. */
  readonly hasCode: boolean;
}

type StoredSignIn = Selectable<SignInTable>;
type Query = Kysely<AuthSchema> | Transaction<AuthSchema>;

/**
 * Runs `work` alone among all sends to a browser in this process. Entries of codes don't wait for it, as a mail may take seconds to
 * leave: what they and a send have in common is the sign-ins' rows, which both lock.
 */
export async function sendAlone<Result>(
  database: AuthDatabase,
  browserToken: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return database.runExclusive(`send ${keyOf(browserToken)}`, work);
}

function keyOf(browserToken: string): string {
  return hexOfBytes(opaqueTokenHash(browserToken));
}

/**
 * Stores a sign-in with the MAC of its code, but not the code. A code begins with the tries that others of its kind have used.
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
  const { handle, code } = signIn;
  const hash = opaqueTokenHash(handle);
  const expiresAtMs = nowMs + MAILED_CODE_LIFETIME_MS;
  const row = {
    ...columnsOf(signIn),
    sign_in: hash,
    email: signIn.email,
    code_mac: code === undefined ? randomBytes(MAC_BYTES) : oneTimeCodeMac(key, hash, code),
    created_at_ms: nowMs,
    expires_at_ms: expiresAtMs,
    without_code: signIn.hasCode ? null : 1,
  };
  try {
    await database.write(async (transaction) => {
      const others = signIn.hasCode ? await database.dialect.lockRows(codesOf(transaction, signIn)).execute() : [];
      const tries = triesSoFar(others.map(begunOfRow), nowMs);
      await transaction
        .insertInto("sign_in")
        .values({ ...row, tries })
        .execute();
    });
  } catch (error) {
    // The handle is random, so the existing row is this one: an attempt whose outcome was lost has inserted it.
    if (!database.dialect.isDuplicateKey(error)) throw error;
  }
  return expiresAtMs;
}

/** Returns all sign-ins of a kind that have a code and aren't complete. */
export async function readBegun(query: Query, kind: SignInKind): Promise<readonly BegunSignIn[]> {
  return (await codesOf(query, kind).execute()).map(begunOfRow);
}

/** The sign-in of a handle. */
export interface OwnSignIn extends SignInKind {
  readonly expiresAtMs: bigint;
}

/** Returns the sign-in of a handle; undefined for one that is complete, long over, or not of this browser. */
export async function readSignIn(
  query: Query,
  { handle, browserToken }: Pick<NewSignIn, "handle" | "browserToken">,
): Promise<OwnSignIn | undefined> {
  const row = await query
    .selectFrom("sign_in")
    .select(["purpose", "account", "email", "expires_at_ms"])
    .where("sign_in", "=", opaqueTokenHash(handle))
    .where("browser", "=", opaqueTokenHash(browserToken))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { purpose, account, email } = row;
  const kind = { browserToken, purpose, email, ...(account !== null && { accountUuid: uuidFromBytes(account) }) };
  return { ...kind, expiresAtMs: BigInt(row.expires_at_ms) };
}

/** A code that a user entered. */
export interface CodeEntry extends Omit<SignInKind, "email"> {
  readonly handle: string;
  /** From `parseOneTimeCode`. */
  readonly code: string;
}

/**
 * The outcome of an entry. `new_code_required` says that the sign-in is unknown, complete, expired, was tried too often, or
 * belongs to another browser or account.
 */
export type CodeOutcome =
  | { readonly result: "correct"; readonly email: string }
  | { readonly result: "wrong"; readonly triesLeft: number }
  | { readonly result: "new_code_required" };

/**
 * Checks a code against all that were sent to the same browser and address and are still valid. The try is counted for each
 * of them, and committed, before the code is compared, so that concurrent guesses can't exceed 5 tries together, and no code
 * is compared more often. A correct code stays until `takeSignIn` uses it up.
 *
 * @param keys `DerivedKeys.oneTimeCode`, and that of the other `KEY_ENCRYPTION_KEY`
 */
export async function checkCode(
  database: AuthDatabase,
  keys: readonly Uint8Array[],
  entry: CodeEntry,
  nowMs: bigint,
): Promise<CodeOutcome> {
  const rows = await countTry(database, entry, nowMs);
  const [first] = rows;
  if (first === undefined) return { result: "new_code_required" };
  // Each is compared, so that the time doesn't say which one it was.
  const matches = rows.flatMap(({ sign_in, code_mac }) =>
    keys.map((key) => isCorrectCode(key, sign_in, entry.code, code_mac)),
  );
  if (matches.includes(true)) return { result: "correct", email: first.email };
  const { triesLeft } = signInState(rows.map(begunOfRow), nowMs);
  return triesLeft > 0 ? { result: "wrong", triesLeft } : { result: "new_code_required" };
}

/** Counts a try. @returns the sign-ins whose codes it is for; none where none can be tried with this entry */
async function countTry(database: AuthDatabase, entry: CodeEntry, nowMs: bigint): Promise<readonly StoredSignIn[]> {
  const work = async (transaction: Transaction<AuthSchema>) => {
    const own = await readSignIn(transaction, entry);
    if (own === undefined || !isOfPurpose(own, entry) || own.expiresAtMs <= nowMs) return [];
    const all = await database.dialect.lockRows(codesOf(transaction, own)).execute();
    const triable = all.filter((row) => isTriable(begunOfRow(row), nowMs));
    if (triable.length === 0) return [];
    await transaction
      .updateTable("sign_in")
      .set((expression) => ({ tries: expression("tries", "+", 1) }))
      .where(
        "sign_in",
        "in",
        triable.map(({ sign_in }) => sign_in),
      )
      .execute();
    return triable.map((row) => ({ ...row, tries: Number(row.tries) + 1 }));
  };
  return database.writeExclusive(`try ${keyOf(entry.browserToken)}`, work);
}

/**
 * Uses a sign-in up, together with the others of its kind: their codes would complete it again.
 *
 * @returns false where another call has used it up before
 */
export async function takeSignIn(transaction: Transaction<AuthSchema>, handle: string): Promise<boolean> {
  const hash = opaqueTokenHash(handle);
  const own = await transaction.selectFrom("sign_in").selectAll().where("sign_in", "=", hash).executeTakeFirst();
  const { numDeletedRows } = await transaction.deleteFrom("sign_in").where("sign_in", "=", hash).executeTakeFirst();
  if (own === undefined || numDeletedRows === 0n) return false;
  const { browser, purpose, account, email } = own;
  await transaction
    .deleteFrom("sign_in")
    .where("browser", "=", browser)
    .where("purpose", "=", purpose)
    .where("account", account === null ? "is" : "=", account)
    .where("email", "=", email)
    .execute();
  return true;
}

function isOfPurpose(own: OwnSignIn, { purpose, accountUuid }: Pick<CodeEntry, "purpose" | "accountUuid">): boolean {
  return own.purpose === purpose && own.accountUuid === accountUuid;
}

/**
 * Selects the sign-ins of a kind that have a code. They are few, as codes are limited; those without one aren't, so that no step
 * may read them all.
 */
function codesOf(query: Query, kind: SignInKind) {
  const { browser, purpose, account } = columnsOf(kind);
  return query
    .selectFrom("sign_in")
    .selectAll()
    .where("browser", "=", browser)
    .where("without_code", "is", null)
    .where("purpose", "=", purpose)
    .where("account", account === null ? "is" : "=", account)
    .where("email", "=", kind.email);
}

function columnsOf({ browserToken, purpose, accountUuid }: Omit<SignInKind, "email">) {
  return {
    browser: opaqueTokenHash(browserToken),
    purpose,
    account: accountUuid === undefined ? null : bytesOfHex(accountUuid),
  };
}

function begunOfRow(row: StoredSignIn): BegunSignIn {
  return {
    beganAtMs: BigInt(row.created_at_ms),
    expiresAtMs: BigInt(row.expires_at_ms),
    tries: Number(row.tries),
  };
}

export function expiredSignIns(nowMs: bigint): ExpiredRows {
  return { table: "sign_in", ageColumn: "expires_at_ms", cutoff: nowMs - SIGN_IN_RETENTION_MS };
}
