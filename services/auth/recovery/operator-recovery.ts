import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Account } from "../accounts/account.ts";
import { findAccountByEmail, lockAccount } from "../accounts/accounts-store.ts";
import type { AuthContext } from "../base/context.ts";
import { notify } from "../mail/notify.ts";
import { storeRecovery } from "./begin-recovery.ts";
import { findRecovery } from "./recoveries-store.ts";
import { newRecovery } from "./recovery.ts";
import { recoveryMessage } from "./recovery-message.ts";
import { recoveryStoppedNotice } from "./recovery-notice.ts";
import { storeStop } from "./stop-recovery.ts";

/**
 * Begins a recovery for the operator, where a thief has a passkey of the account. It waits as long as any other, and is
 * completed by a code of the account's mailbox; but nobody else can stop it. With `stop` it ends one.
 */
export function recoverAccount(context: AuthContext): ServiceImpl<typeof AccountService>["recoverAccount"] {
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
