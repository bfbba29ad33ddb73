import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { notify } from "../mail/notify.ts";
import { requiredSession } from "../sessions/required-session.ts";
import { accountMessage } from "./account-message.ts";
import { emailChangedNotice } from "./account-notice.ts";
import { completeEmailChange as completeStored } from "./complete-email-change-transaction.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { enteredCode, refusedCode } from "./entered-code.ts";

export function completeEmailChange(
  dependencies: AccountDependencies,
): ServiceImpl<typeof AccountService>["completeEmailChange"] {
  const { database, clock } = dependencies;
  return async ({ sessionToken, signInHandle: handle, browserToken, code, peer }) => {
    const { accountUuid, email: previousEmail } = await requiredSession(dependencies, sessionToken);
    const outcome = await enteredCode(
      dependencies,
      { handle, browserToken, purpose: "email_change", accountUuid, code },
      peer,
    );
    if (outcome.result !== "correct") return refusedCode(outcome);
    const proven = { handle, accountUuid, email: outcome.email, address: peer?.address ?? "" };
    const account = await completeStored(database, proven, clock());
    if (account === undefined) return refusedCode({ result: "new_code_required" });
    void notify(dependencies, [previousEmail], emailChangedNotice(peer?.userAgent ?? ""));
    return { result: CodeResult.CORRECT, account: accountMessage(account) };
  };
}
