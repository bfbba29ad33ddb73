import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Account } from "../accounts/accounts-store.ts";
import {
  findAccountByEmail,
  lockAccount,
  requiresPasskey,
  storePasskeyRequirement,
} from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import {
  checkPasskeySession,
  passkeySignInRequired,
  requireRecentPasskeySession,
} from "../sessions/passkey-session.ts";
import { requireUnended, sessionEnded } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { requireProof } from "./account-proof.ts";
import { beginRecovery, storeRecovery } from "./begin-recovery.ts";
import { completeRecovery } from "./complete-recovery.ts";
import { findRecovery } from "./recoveries-store.ts";
import { newRecovery } from "./recovery.ts";
import { recoveryMessage } from "./recovery-message.ts";
import { passkeyRequiredNotice, recoveryStoppedNotice } from "./recovery-notice.ts";
import { stopRecovery, storeStop } from "./stop-recovery.ts";

/** The methods of `AccountService` for accounts whose owners have lost their passkeys, or require them. */
export function recoveryMethods(
  context: AuthContext,
): Pick<
  ServiceImpl<typeof AccountService>,
  "getSignInRules" | "beginRecovery" | "stopRecovery" | "completeRecovery" | "setPasskeyRequired" | "recoverAccount"
> {
  return {
    getSignInRules: getSignInRules(context),
    beginRecovery: beginRecovery(context),
    stopRecovery: stopRecovery(context),
    completeRecovery: completeRecovery(context),
    setPasskeyRequired: setPasskeyRequired(context),
    recoverAccount: recoverAccount(context),
  };
}

function getSignInRules(context: AuthContext): ServiceImpl<typeof AccountService>["getSignInRules"] {
  const { database, clock, salesRequiringPasskeys } = context;
  return async ({ proof }) => {
    const { accountUuid, email } = await requireProof(context, proof);
    const rules = await database.read(async (query) => ({
      passkeys: await countPasskeys(query, accountUuid),
      passkeyRequired: await requiresPasskey(query, accountUuid),
      recovery: recoveryMessage(await findRecovery(query, accountUuid), clock()),
    }));
    const sales = await salesRequiringPasskeys(accountUuid);
    return { ...rules, email, salesRequiringPasskeys: [...sales] };
  };
}

function setPasskeyRequired(context: AuthContext): ServiceImpl<typeof AccountService>["setPasskeyRequired"] {
  const { clock, rateLimits } = context;
  return async ({ sessionToken, required, peer }) => {
    // Before it is counted: a session that may not change this must not use up the owner's changes.
    const session = await requireRecentPasskeySession(context, sessionToken);
    await rateLimits.take("change_account", session.accountUuid);
    const change = { session, required, address: peer?.address ?? "" };
    const isChanged = await storeChange(context, change, clock());
    if (isChanged) void notify(context, [session.email], passkeyRequiredNotice(required, browserOf(peer)));
    return {};
  };
}

interface RequirementChange {
  readonly session: Session;
  readonly required: boolean;
  /** The network address of the browser, for the audit table. */
  readonly address: string;
}

/**
 * Stores the requirement. What began with a code before ends with it, as a mailbox alone must no longer be enough.
 *
 * @returns whether it has changed
 * @throws ServiceError `failed_precondition` for an account without passkeys, and without a recent sign-in with one
 */
async function storeChange(
  { database, endCodeAccess }: AuthContext,
  { session, required, address }: RequirementChange,
  nowMs: bigint,
): Promise<boolean> {
  const { dialect } = database;
  const { accountUuid } = session;
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, dialect, accountUuid))) throw sessionEnded();
    await requireUnended(transaction, session);
    await refuseDuringOperatorRecovery(transaction, accountUuid, nowMs);
    const passkeys = await countPasskeys(transaction, accountUuid);
    if (passkeys === 0) throw passkeySignInRequired("the account has no passkey: add one and sign in with it");
    checkPasskeySession(session, passkeys);
    if ((await requiresPasskey(transaction, accountUuid)) === required) return false;
    await storePasskeyRequirement(transaction, accountUuid, required);
    if (required) for (const end of endCodeAccess) await end(transaction, accountUuid, { dialect, nowMs });
    const details = { required, address };
    await recordEvent(transaction, { event: "passkeys.required_changed", accountUuid, details }, nowMs);
    return true;
  });
}

/**
 * Begins a recovery for the operator, where a thief has a passkey of the account. It waits as long as any other, and is
 * completed by a code of the account's mailbox; but nobody else can stop it. With `stop` it ends one.
 */
function recoverAccount(context: AuthContext): ServiceImpl<typeof AccountService>["recoverAccount"] {
  return async ({ email, stop }) => {
    const account = await accountOf(context, parseEmailAddress(email));
    if (stop) return stopForOperator(context, account);
    const { database, clock } = context;
    const nowMs = clock();
    const begun = { uuid: randomUUID(), accountUuid: account.uuid, language: DEFAULT_LANGUAGE, byOperator: true };
    const recovery = await database.writeLocked(async (transaction) => {
      if (!(await lockAccount(transaction, database.dialect, account.uuid))) throw noSuchAccount();
      return storeRecovery(transaction, newRecovery(begun, nowMs), "", nowMs);
    });
    return { recovery: recoveryMessage(recovery, nowMs) };
  };
}

async function stopForOperator(context: AuthContext, { uuid: accountUuid, email }: Account) {
  const { database, clock } = context;
  const stopped = await database.write(async (transaction) => {
    const found = await findRecovery(transaction, accountUuid);
    if (found === undefined) return false;
    return storeStop(transaction, { accountUuid, recoveryUuid: found.uuid, by: "operator", address: "" }, clock());
  });
  if (stopped) {
    void notify(context, [email], recoveryStoppedNotice({ userAgent: "", language: DEFAULT_LANGUAGE }));
  }
  return {};
}

async function accountOf({ database }: AuthContext, email: string): Promise<Account> {
  const account = await database.read((query) => findAccountByEmail(query, email));
  if (account === undefined) throw noSuchAccount();
  return account;
}

function noSuchAccount(): ServiceError {
  return new ServiceError("not_found", "there is no account with this address");
}
