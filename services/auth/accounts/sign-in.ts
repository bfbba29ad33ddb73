import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { SIGN_IN_GRACE_MS } from "../base/lifetimes.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { browserOf } from "../mail/browser-name.ts";
import {
  type EnteredText,
  recordRefusedCode,
  rejectedCodeResponse,
  tryEnteredCode,
} from "../mailed-codes/check-entered-code.ts";
import { signInMail } from "../mailed-codes/code-mail.ts";
import { isKnownBrowser, withKnownAddress } from "../mailed-codes/known-browser.ts";
import { isKnownNetwork, networkMac } from "../mailed-codes/known-networks-store.ts";
import { parseOneTimeCode } from "../mailed-codes/one-time-code.ts";
import { type AskerTraits, sendSignInCode } from "../mailed-codes/send-code.ts";
import { takeSignIn } from "../mailed-codes/sign-ins-store.ts";
import type { Session } from "../sessions/session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { accountMessage } from "./account-message.ts";
import type { Account } from "./accounts-store.ts";
import { findAccount, findOrCreateAccount, lockAccountOf } from "./accounts-store.ts";
import { findSignedIn, type ProvenPerson, startBrowserSession } from "./browser-session.ts";
import { findPass, insertPass } from "./recovery-passes-store.ts";

export function beginSignIn(context: AuthContext): ServiceImpl<typeof AccountService>["beginSignIn"] {
  const { rateLimits, issuer, requestingApplication } = context;
  const { host } = new URL(issuer);
  return async ({ email: text, browserToken, authorizationHandle, knownBrowser, peer }) => {
    const email = parseEmailAddress(text);
    await rateLimits.take("sign_in_address", peer?.address ?? "");
    const application = await requestingApplication(authorizationHandle, browserToken);
    const browser = browserOf(peer);
    const { signInHandle, expiresAtMs } = await sendSignInCode(
      context,
      {
        signIn: { purpose: "sign_in", email, browserToken },
        mailOf: (code, askedAtMs) => signInMail({ ...browser, code, host, askedAtMs }, application),
      },
      await traitsOf(context, { email, knownBrowser, address: peer?.address ?? "" }),
    );
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}

async function traitsOf(
  { database, clock, derivedKeys }: AuthContext,
  { email, knownBrowser, address }: { readonly email: string; readonly knownBrowser: string; readonly address: string },
): Promise<AskerTraits> {
  const nowMs = clock();
  const networks = bothKeys(derivedKeys, "counters").map((key) => networkMac(key, email, address));
  return {
    isKnownBrowser: bothKeys(derivedKeys, "knownBrowser").some((key) =>
      isKnownBrowser(key, knownBrowser, email, nowMs),
    ),
    isKnownNetwork: await database.read((query) => isKnownNetwork(query, networks, nowMs)),
  };
}

export function completeSignIn(context: AuthContext): ServiceImpl<typeof AccountService>["completeSignIn"] {
  const { database, clock, derivedKeys } = context;
  return async ({
    signInHandle: handle,
    browserToken,
    code: text,
    previousSessionToken: previousToken,
    knownBrowser,
    peer,
  }) => {
    const entered = { handle, browserToken, purpose: "sign_in", text } as const;
    const outcome = await tryEnteredCode(context, entered, peer);
    const token = tokenOf(derivedKeys, entered);
    const store = ({ email }: { readonly email: string }) => {
      const [userAgent, address] = [peer?.userAgent ?? "", peer?.address ?? ""];
      const network = address === "" ? undefined : networkMac(derivedKeys.counters, email, address);
      const proven = { handle, email, token, previousToken, userAgent, address, network };
      return storeSignIn(database, proven, clock());
    };
    const stored = outcome.result === "correct" ? await store(outcome) : undefined;
    const signedIn = stored ?? (await database.read((query) => findRepeated(query, token, clock())));
    if (signedIn === undefined) {
      if (outcome.result === "correct") return rejectedCodeResponse({ result: "new_code_required" });
      await recordRefusedCode(context, outcome, entered, peer);
      return rejectedCodeResponse(outcome);
    }
    const { session, account } = signedIn;
    const { email } = account;
    if (session === undefined) return { result: CodeResult.PASSKEY_REQUIRED, recoveryPass: token };
    const passkeys = await database.read((query) => countPasskeys(query, account.uuid));
    return {
      result: CodeResult.CORRECT,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
      hasPasskey: passkeys > 0,
      knownBrowser: withKnownAddress(derivedKeys.knownBrowser, knownBrowser, email, clock()),
    };
  };
}

/**
 * Returns the token of the session that an entry begins, or of its recovery pass. The same entry has the same one, so that a second
 * click finds what the first has stored; whoever lacks one of the three secrets can't make it.
 */
function tokenOf(
  { codeSession }: AuthContext["derivedKeys"],
  { handle, browserToken, text }: Pick<EnteredText, "handle" | "browserToken" | "text">,
): string {
  return macOf(codeSession, handle, browserToken, parseOneTimeCode(text) ?? "").toString("base64url");
}

/** A sign-in whose code was correct. */
export interface ProvenSignIn extends Omit<ProvenPerson, "account" | "authenticatedBy"> {
  readonly handle: string;
  readonly email: string;
}

/** The result of a correct code. */
export interface SignedInByCode {
  /** Undefined where the account requires a passkey; a recovery pass with the same token was stored instead. */
  readonly session: Session | undefined;
  readonly account: Account;
}

/**
 * Uses the sign-in up, ends the browser's previous session and starts a new one; creates the account for an address that
 * has none. If it runs again after a commit whose outcome was lost, it finds what it has stored.
 *
 * @returns undefined where another call has used the sign-in up, and where the account has got another address meanwhile.
 */
export async function storeSignIn(
  database: AuthDatabase,
  { handle, email, ...proven }: ProvenSignIn,
  nowMs: bigint,
): Promise<SignedInByCode | undefined> {
  const { dialect } = database;
  return database.write(async (transaction) => {
    if (!(await takeSignIn(transaction, handle))) return findStored(transaction, proven.token, nowMs);
    const account = await findOrCreateAccount(transaction, dialect, email, nowMs);
    const authenticatedBy = "code";
    // The lock waits for a requirement that is being stored: a session must not begin meanwhile, and count once it is lifted.
    const mayBegin = await lockAccountOf(transaction, dialect, { accountUuid: account.uuid, authenticatedBy });
    // It also waits for a change of the address: whoever reads the mails of the previous one must not get in any more.
    if ((await findAccount(transaction, account.uuid))?.email !== email) return undefined;
    if (!mayBegin) return storePass(transaction, proven, account, nowMs);
    return startBrowserSession(transaction, dialect, { ...proven, account, authenticatedBy }, nowMs);
  });
}

/** Finds what an attempt has stored whose outcome was lost. @param token of the session or pass */
async function findStored(
  query: Kysely<AuthSchema>,
  token: string,
  nowMs: bigint,
): Promise<SignedInByCode | undefined> {
  const pass = await findPass(query, token, nowMs);
  if (pass === undefined) return findSignedIn(query, token);
  const account = await findAccount(query, pass.accountUuid);
  return account && { session: undefined, account };
}

/** Finds what the same entry has stored a moment ago. */
async function findRepeated(
  query: Kysely<AuthSchema>,
  token: string,
  nowMs: bigint,
): Promise<SignedInByCode | undefined> {
  const stored = await findStored(query, token, nowMs);
  if (stored === undefined) return undefined;
  const beganAtMs = stored.session?.createdAtMs ?? (await findPass(query, token, nowMs))?.createdAtMs ?? 0n;
  return nowMs < beganAtMs + SIGN_IN_GRACE_MS ? stored : undefined;
}

/** Lets the person whose code was correct see and recover the account, but not sign in to it. */
async function storePass(
  transaction: Transaction<AuthSchema>,
  { token, address }: Pick<ProvenSignIn, "token" | "address">,
  account: Account,
  nowMs: bigint,
): Promise<SignedInByCode> {
  const { uuid: accountUuid } = account;
  await insertPass(transaction, token, accountUuid, nowMs);
  await recordEvent(transaction, { event: "sign_in.passkey_required", accountUuid, details: { address } }, nowMs);
  return { session: undefined, account };
}
