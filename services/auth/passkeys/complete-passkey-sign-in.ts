import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import {
  type AccountService,
  type CompletePasskeySignInRequest,
  PasskeyResult,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Peer } from "../../../proto/gen/tidemark/auth/v1/parameter_pb.ts";
import { accountMessage } from "../accounts/account-message.ts";
import { findAccount, lockAccount } from "../accounts/accounts-store.ts";
import { findSignedIn, type SignedIn, startBrowserSession } from "../accounts/browser-session.ts";
import type { AuthContext } from "../base/context.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { isWithinLimit } from "../base/rate-limit.ts";
import type { AuthSchema } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { withKnownAddress } from "../mailed-codes/known-browser.ts";
import { networkMac } from "../mailed-codes/known-networks-store.ts";
import { recoveryStoppedNotice } from "../recovery/recovery-notice.ts";
import { stopRecoveryBySignIn } from "../recovery/stop-recovery.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { parseAssertion } from "./credential.ts";
import type { Passkey } from "./passkey.ts";
import { copySuspectedNotice } from "./passkey-notice.ts";
import { type RefusalReason, refusalResult } from "./passkey-outcome.ts";
import { findPasskey, type PasskeyWithHandle, usePasskey } from "./passkeys-store.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { recordRefusedAnswer, takeAnswer } from "./take-answer.ts";
import { type SignedState, verifyAssertion } from "./verify-answer.ts";

export function completePasskeySignIn(
  context: AuthContext,
): ServiceImpl<typeof AccountService>["completePasskeySignIn"] {
  const { clock, derivedKeys, rateLimits } = context;
  return async (request) => {
    const address = request.peer?.address ?? "";
    await rateLimits.take("passkey_address", address);
    const signedIn = await signIn(context, request);
    if ("reason" in signedIn) {
      const { reason, accountUuid } = signedIn;
      await recordRefusedAnswer(context, { purpose: "sign_in", reason, address, accountUuid });
      return { result: refusalResult(reason) };
    }
    const { token, session, account, recoveryStopped } = signedIn;
    if (recoveryStopped) {
      void notify(context, [account.email], recoveryStoppedNotice(browserOf(request.peer)));
    }
    return {
      result: PasskeyResult.ACCEPTED,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
      knownBrowser: withKnownAddress(derivedKeys.knownBrowser, request.knownBrowser, account.email, clock()),
    };
  };
}

interface Refused {
  readonly reason: RefusalReason;
  /** The account of the passkey, once the answer has proven to be of it. */
  readonly accountUuid?: string;
}

async function signIn(context: AuthContext, request: CompletePasskeySignInRequest) {
  const proven = await proveAnswer(context, request);
  if ("reason" in proven) return proven;
  const { passkey, state } = proven;
  const { accountUuid } = passkey;
  const stored = await storePasskeySignIn(context, passkey, state, request);
  if (stored === "copy_suspected") await warnOfCopy(context, passkey, request.peer);
  return typeof stored === "string" ? { reason: stored, accountUuid } : stored;
}

interface ProvenAnswer {
  readonly passkey: PasskeyWithHandle;
  readonly state: SignedState;
}

/** Checks an answer, in the order of WebAuthn section 7.2. */
async function proveAnswer(
  { database, clock, issuer }: AuthContext,
  { credentialJson, browserToken }: CompletePasskeySignInRequest,
): Promise<ProvenAnswer | Refused> {
  const response = parseAssertion(credentialJson);
  if (response === undefined) return { reason: "malformed" };
  const relyingParty = relyingPartyOf(issuer);
  const { clientDataJSON, userHandle } = response.response;
  const use = { browserToken, purpose: "sign_in" } as const;
  const taken = await takeAnswer(database, clientDataJSON, use, relyingParty, clock());
  if ("reason" in taken) return taken;
  const passkey = await database.read((query) => findPasskey(query, response.id));
  if (passkey === undefined) return { reason: "unknown" };
  if (userHandle !== passkey.userHandle) return { reason: "user_handle" };
  const state = await verifyAssertion(response, passkey, { ...taken, relyingParty });
  return state === undefined ? { reason: "verification" } : { passkey, state };
}

/** Mails the owner of a passkey that there may be a copy of it, within the limits of the rate. */
async function warnOfCopy(
  context: AuthContext,
  { accountUuid, name }: Pick<Passkey, "accountUuid" | "name">,
  peer: Peer | undefined,
): Promise<void> {
  const { database } = context;
  // Beyond it the owner has mails enough about it; the refusal itself isn't limited.
  if (!(await isWithinLimit(context, "copy_warning_account", accountUuid))) return;
  const account = await database.read((query) => findAccount(query, accountUuid));
  if (account !== undefined) void notify(context, [account.email], copySuspectedNotice(name, browserOf(peer)));
}

/** A sign-in with a passkey, with the secret of its session. */
interface PasskeySignIn extends SignedIn {
  readonly token: string;
  /** Whether it has stopped a recovery: not all passkeys are lost. */
  readonly recoveryStopped: boolean;
}

/**
 * Stores the use of a passkey, ends the browser's previous session and starts a new one. If it runs again after a commit whose
 * outcome was lost, it finds what it has stored.
 *
 * @returns `copy_suspected` where the counter hasn't risen; `unknown` where the passkey was removed meanwhile
 */
async function storePasskeySignIn(
  { database, clock, derivedKeys }: AuthContext,
  { accountUuid, credentialId }: Pick<Passkey, "accountUuid" | "credentialId">,
  { counter, backedUp }: Pick<SignedState, "counter" | "backedUp">,
  { previousSessionToken: previousToken, peer }: Pick<CompletePasskeySignInRequest, "previousSessionToken" | "peer">,
): Promise<PasskeySignIn | "copy_suspected" | "unknown"> {
  const { dialect } = database;
  const [nowMs, token, address] = [clock(), newOpaqueToken(), peer?.address ?? ""];
  const proven = {
    authenticatedBy: "passkey" as const,
    token,
    previousToken,
    userAgent: peer?.userAgent ?? "",
    address,
  };
  let recoveryStopped = false;
  const outcome = await database.write(async (transaction) => {
    const account = await lockedAccount(transaction, accountUuid, dialect);
    if (account === undefined) return "unknown";
    const stored = await findSignedIn(transaction, token);
    if (stored !== undefined) return stored;
    if (!(await usePasskey(transaction, { credentialId, counter, backedUp }, nowMs))) {
      return (await findPasskey(transaction, credentialId)) === undefined ? "unknown" : "copy_suspected";
    }
    const network = address === "" ? undefined : networkMac(derivedKeys.counters, account.email, address);
    recoveryStopped = await stopRecoveryBySignIn(transaction, accountUuid, address, nowMs);
    return startBrowserSession(transaction, dialect, { ...proven, account, network }, nowMs);
  });
  return typeof outcome === "string" ? outcome : { ...outcome, token, recoveryStopped };
}

/** Locks the account, so that a concurrent deletion doesn't miss the new session. */
async function lockedAccount(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  dialect: AuthContext["database"]["dialect"],
) {
  return (await lockAccount(transaction, dialect, accountUuid)) ? findAccount(transaction, accountUuid) : undefined;
}
