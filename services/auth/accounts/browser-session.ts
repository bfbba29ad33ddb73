import type { Kysely, Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthSchema } from "../base/schema.ts";
import { storeKnownNetwork } from "../mailed-codes/known-networks-store.ts";
import type { Session } from "../sessions/session.ts";
import { endSessionByToken, readSession, startSession } from "../sessions/sessions-store.ts";
import type { Account } from "./accounts-store.ts";
import { findAccount } from "./accounts-store.ts";

/** A person who has just proven to own an account, in a browser. */
export interface ProvenPerson {
  readonly account: Account;
  readonly authenticatedBy: AuthenticationMethod;
  /** The secret of the new session. */
  readonly token: string;
  /** The secret of the session that the browser had; empty for none. */
  readonly previousToken: string;
  readonly userAgent: string;
  /** The network address of the browser, for the audit table. */
  readonly address: string;
  /** `networkMac` of that address; undefined where it isn't known. */
  readonly network: Buffer | undefined;
}

export interface SignedIn {
  readonly session: Session;
  readonly account: Account;
}

/** Ends the browser's previous session and starts a new one; the network is known from now on. */
export async function startBrowserSession(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  { account, network, previousToken, ...proven }: ProvenPerson,
  nowMs: bigint,
): Promise<SignedIn> {
  const knownNetwork = network && { network, accountUuid: account.uuid };
  if (knownNetwork !== undefined) await storeKnownNetwork(transaction, dialect, knownNetwork, nowMs);
  await endPrevious(transaction, previousToken, nowMs);
  const session = await startSession(transaction, { ...proven, account }, nowMs);
  const details = { session: session.uuid, address: proven.address, by: proven.authenticatedBy };
  await recordEvent(transaction, { event: "sign_in.completed", accountUuid: account.uuid, details }, nowMs);
  return { session, account };
}

/** Finds what an attempt has stored whose outcome was lost. @param token of the new session */
export async function findSignedIn(query: Kysely<AuthSchema>, token: string): Promise<SignedIn | undefined> {
  const session = await readSession(query, token);
  const account = session && (await findAccount(query, session.accountUuid));
  return session && account && { session, account };
}

async function endPrevious(transaction: Transaction<AuthSchema>, token: string, nowMs: bigint): Promise<void> {
  const ended = token === "" ? undefined : await endSessionByToken(transaction, token);
  if (ended === undefined) return;
  const details = { session: ended.uuid, reason: "new sign-in" };
  await recordEvent(transaction, { event: "session.ended", accountUuid: ended.accountUuid, details }, nowMs);
}
