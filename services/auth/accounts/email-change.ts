import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { checkEnteredCode, rejectedCodeResponse } from "../mailed-codes/check-entered-code.ts";
import { emailChangeMail } from "../mailed-codes/code-mail.ts";
import { withKnownAddress } from "../mailed-codes/known-browser.ts";
import { deleteKnownNetworks, networkMac, storeKnownNetwork } from "../mailed-codes/known-networks-store.ts";
import { sendCode } from "../mailed-codes/send-code.ts";
import { takeSignIn } from "../mailed-codes/sign-ins-store.ts";
import { requirePasskeySession, requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { requireSession, requireUnended } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { endOtherSessionsOf } from "../sessions/sessions-store.ts";
import { accountMessage } from "./account-message.ts";
import { emailChangedNotice } from "./account-notice.ts";
import type { Account } from "./accounts-store.ts";
import { changeEmail, findAccount, lockAccount } from "./accounts-store.ts";
import { endApplicationTokens } from "./end-application-tokens.ts";
import { deletePasses } from "./recovery-passes-store.ts";

export function beginEmailChange(context: AuthContext): ServiceImpl<typeof AccountService>["beginEmailChange"] {
  const { database, clock, rateLimits, issuer } = context;
  const { host } = new URL(issuer);
  return async ({ sessionToken, email: text, browserToken, peer }) => {
    const { accountUuid } = await requireRecentPasskeySession(context, sessionToken);
    await database.read((query) => refuseDuringOperatorRecovery(query, accountUuid, clock()));
    const email = parseEmailAddress(text);
    await rateLimits.take("change_account", accountUuid);
    const browser = browserOf(peer);
    const { signInHandle, expiresAtMs } = await sendCode(context, {
      signIn: { purpose: "email_change", accountUuid, email, browserToken },
      mailOf: (code, askedAtMs) => emailChangeMail({ ...browser, code, host, askedAtMs }),
    });
    return { signInHandle, expiresAt: timestampOf(expiresAtMs) };
  };
}

export function completeEmailChange(context: AuthContext): ServiceImpl<typeof AccountService>["completeEmailChange"] {
  const { database, clock, derivedKeys } = context;
  return async ({ sessionToken, signInHandle: handle, browserToken, code, knownBrowser, endTokens, peer }) => {
    const session = await requireSession(context, sessionToken);
    const { accountUuid, email: previousEmail } = session;
    const outcome = await checkEnteredCode(
      context,
      { handle, browserToken, purpose: "email_change", accountUuid, text: code },
      peer,
    );
    if (outcome.result !== "correct") return rejectedCodeResponse(outcome);
    const [{ email }, address] = [outcome, peer?.address ?? ""];
    const network = address === "" ? undefined : networkMac(derivedKeys.counters, email, address);
    const proven = { handle, session, email, address, network, endTokens };
    const account = await storeEmailChange(database, proven, clock());
    if (account === undefined) return rejectedCodeResponse({ result: "new_code_required" });
    void notify(context, [previousEmail], emailChangedNotice(browserOf(peer), endTokens));
    const marks = withKnownAddress(derivedKeys.knownBrowser, knownBrowser, email, clock());
    return { result: CodeResult.CORRECT, account: accountMessage(account), knownBrowser: marks };
  };
}

/** A change of the e-mail address whose code was correct. */
export interface ProvenEmailChange {
  readonly handle: string;
  /** The session that makes the change, the only one that stays. */
  readonly session: Pick<Session, "accountUuid" | "uuid" | "authenticatedBy">;
  readonly email: string;
  /** The network address of the browser, for the audit table. */
  readonly address: string;
  /** `networkMac` of that address and the new e-mail address; undefined where it isn't known. */
  readonly network: Buffer | undefined;
  /** Whether the tokens of all applications end too. */
  readonly endTokens: boolean;
}

/**
 * Gives the account the address that its owner has proven to read, and ends its other sessions: whoever reads the previous
 * address may have begun them. If it runs again after a commit whose outcome was lost, it finds what it has stored.
 *
 * @returns undefined where another call has used the code up, or the account was deleted.
 * @throws ServiceError `already_exists` where another account has the address; `failed_precondition` where the account has a
 *   passkey and the session began with a code; `unauthenticated` where the session has ended meanwhile.
 */
export async function storeEmailChange(
  database: AuthDatabase,
  { handle, session, email, address, network, endTokens }: ProvenEmailChange,
  nowMs: bigint,
): Promise<Account | undefined> {
  const { accountUuid, uuid: sessionUuid } = session;
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, database.dialect, accountUuid))) return undefined;
    await requireUnended(transaction, session);
    await requirePasskeySession(transaction, session);
    await refuseDuringOperatorRecovery(transaction, accountUuid, nowMs);
    const taken = await takeSignIn(transaction, handle);
    const before = await findAccount(transaction, accountUuid);
    if (before === undefined) return undefined;
    if (!taken) return before.email === email ? before : undefined;
    if (!(await changeEmail(transaction, database.dialect, accountUuid, email))) throw emailTaken();
    // They are bound to the previous address, to which the account no longer signs in.
    await deleteKnownNetworks(transaction, accountUuid);
    const knownNetwork = network && { network, accountUuid };
    if (knownNetwork !== undefined) await storeKnownNetwork(transaction, database.dialect, knownNetwork, nowMs);
    await endOtherSessionsOf(transaction, accountUuid, sessionUuid);
    // They were given for codes that went to the previous address.
    await deletePasses(transaction, accountUuid);
    const ended = { accountUuid, reason: "email_change" } as const;
    if (endTokens) await endApplicationTokens(transaction, database, ended, nowMs);
    await recordEvent(transaction, { event: "account.email_changed", accountUuid, details: { address } }, nowMs);
    return { ...before, email };
  });
}

function emailTaken(): ServiceError {
  return new ServiceError("already_exists", "another account has this e-mail address");
}
