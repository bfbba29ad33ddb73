import type { Transaction } from "kysely";
import { recordEvent } from "../base/audit-store.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import type { Session } from "../sessions/session.ts";
import { endSession, readSession, startSession } from "../sessions/sessions-store.ts";
import type { Account } from "./account.ts";
import { findAccount, findOrCreateAccount } from "./accounts-store.ts";
import { takeSignIn } from "./sign-ins-store.ts";

export interface ProvenSignIn {
  /** Whose code was right. */
  readonly handle: string;
  readonly email: string;
  /** The secret of the new session, and of the one that the browser had; empty for none. */
  readonly token: string;
  readonly previousToken: string;
  readonly userAgent: string;
  /** Where it came from, for the audit table. */
  readonly address: string;
}

export interface SignedIn {
  readonly session: Session;
  readonly account: Account;
}

/**
 * Uses the sign-in up, ends the session that the browser had and starts a new one, for a new account where the address
 * has none. Run again after a commit whose outcome was lost, it finds what it did.
 *
 * @returns undefined where another call has used the sign-in up.
 */
export async function completeSignIn(
  database: AuthDatabase,
  proven: ProvenSignIn,
  nowMs: bigint,
): Promise<SignedIn | undefined> {
  return database.write(async (transaction) => {
    if (!(await takeSignIn(transaction, proven.handle))) return findSignedIn(transaction, proven.token);
    const account = await findOrCreateAccount(transaction, database.dialect, proven.email, nowMs);
    await endPrevious(transaction, proven.previousToken, nowMs);
    const session = await startSession(transaction, { ...proven, account }, nowMs);
    const details = { session: session.uuid, address: proven.address };
    await recordEvent(transaction, { event: "sign_in.completed", accountUuid: account.uuid, details }, nowMs);
    return { session, account };
  });
}

async function findSignedIn(transaction: Transaction<AuthSchema>, token: string): Promise<SignedIn | undefined> {
  const session = await readSession(transaction, token);
  const account = session && (await findAccount(transaction, session.accountUuid));
  return session && account && { session, account };
}

async function endPrevious(transaction: Transaction<AuthSchema>, token: string, nowMs: bigint): Promise<void> {
  const ended = token === "" ? undefined : await endSession(transaction, token);
  if (ended === undefined) return;
  const details = { session: ended.uuid, reason: "new sign-in" };
  await recordEvent(transaction, { event: "session.ended", accountUuid: ended.accountUuid, details }, nowMs);
}
