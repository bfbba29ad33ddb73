import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import type { Session } from "../sessions/session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { endSessionByToken, readSession, startSession } from "../sessions/sessions-store.ts";
import type { Account } from "./account.ts";
import { accountMessage } from "./account-message.ts";
import { findAccount, findOrCreateAccount } from "./accounts-store.ts";
import { checkEnteredCode, rejectedCodeResponse } from "./check-entered-code.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { withKnownAddress } from "./known-browser.ts";
import { networkMac, storeKnownNetwork } from "./known-networks-store.ts";
import { takeSignIn } from "./sign-ins-store.ts";

export function completeSignIn(
  dependencies: AccountDependencies,
): ServiceImpl<typeof AccountService>["completeSignIn"] {
  const { database, clock, derivedKeys } = dependencies;
  return async ({
    signInHandle: handle,
    browserToken,
    code,
    previousSessionToken: previousToken,
    knownBrowser,
    peer,
  }) => {
    const outcome = await checkEnteredCode(dependencies, { handle, browserToken, purpose: "sign_in", code }, peer);
    if (outcome.result !== "correct") return rejectedCodeResponse(outcome);
    const [token, userAgent, address] = [newOpaqueToken(), peer?.userAgent ?? "", peer?.address ?? ""];
    const { email } = outcome;
    const network = address === "" ? undefined : networkMac(derivedKeys.counters, email, address);
    const proven = { handle, email, token, previousToken, userAgent, address, network };
    const signedIn = await storeSignIn(database, proven, clock());
    if (signedIn === undefined) return rejectedCodeResponse({ result: "new_code_required" });
    const { session, account } = signedIn;
    return {
      result: CodeResult.CORRECT,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
      knownBrowser: withKnownAddress(derivedKeys.knownBrowser, knownBrowser, email, clock()),
    };
  };
}

/** A sign-in whose code was correct. */
export interface ProvenSignIn {
  readonly handle: string;
  readonly email: string;
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

/**
 * Uses the sign-in up, ends the browser's previous session and starts a new one; creates the account for an address that
 * has none. If it runs again after a commit whose outcome was lost, it finds what it has stored.
 *
 * @returns undefined where another call has used the sign-in up.
 */
export async function storeSignIn(
  database: AuthDatabase,
  proven: ProvenSignIn,
  nowMs: bigint,
): Promise<SignedIn | undefined> {
  return database.write(async (transaction) => {
    if (!(await takeSignIn(transaction, proven.handle))) return findSignedIn(transaction, proven.token);
    const account = await findOrCreateAccount(transaction, database.dialect, proven.email, nowMs);
    const { network } = proven;
    const known = network && { network, accountUuid: account.uuid };
    if (known !== undefined) await storeKnownNetwork(transaction, database.dialect, known, nowMs);
    await endPrevious(transaction, proven.previousToken, nowMs);
    const session = await startSession(transaction, { ...proven, account, authenticatedBy: "code" }, nowMs);
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
  const ended = token === "" ? undefined : await endSessionByToken(transaction, token);
  if (ended === undefined) return;
  const details = { session: ended.uuid, reason: "new sign-in" };
  await recordEvent(transaction, { event: "session.ended", accountUuid: ended.accountUuid, details }, nowMs);
}
