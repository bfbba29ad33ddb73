import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { accountMessage } from "./account-message.ts";
import { findOrCreateAccount } from "./accounts-store.ts";
import { findSignedIn, type ProvenPerson, type SignedIn, startBrowserSession } from "./browser-session.ts";
import { checkEnteredCode, rejectedCodeResponse } from "./check-entered-code.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { withKnownAddress } from "./known-browser.ts";
import { networkMac } from "./known-networks-store.ts";
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
    const hasPasskey = await database.read((query) => dependencies.hasPasskeys(query, account.uuid));
    return {
      result: CodeResult.CORRECT,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
      hasPasskey,
      knownBrowser: withKnownAddress(derivedKeys.knownBrowser, knownBrowser, email, clock()),
    };
  };
}

/** A sign-in whose code was correct. */
export interface ProvenSignIn extends Omit<ProvenPerson, "account" | "authenticatedBy"> {
  readonly handle: string;
  readonly email: string;
}

/**
 * Uses the sign-in up, ends the browser's previous session and starts a new one; creates the account for an address that
 * has none. If it runs again after a commit whose outcome was lost, it finds what it has stored.
 *
 * @returns undefined where another call has used the sign-in up.
 */
export async function storeSignIn(
  database: AuthDatabase,
  { handle, email, ...proven }: ProvenSignIn,
  nowMs: bigint,
): Promise<SignedIn | undefined> {
  const { dialect } = database;
  return database.write(async (transaction) => {
    if (!(await takeSignIn(transaction, handle))) return findSignedIn(transaction, proven.token);
    const account = await findOrCreateAccount(transaction, dialect, email, nowMs);
    return startBrowserSession(transaction, dialect, { ...proven, account, authenticatedBy: "code" }, nowMs);
  });
}
