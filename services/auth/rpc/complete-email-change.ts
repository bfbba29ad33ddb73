import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { emailChangedNotice } from "../mail/account-notice.ts";
import { notify } from "../mail/notify.ts";
import { completeEmailChange as completeStored } from "../store/complete-email-change.ts";
import { accountMessage } from "./account-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { enteredCode, refusedCode } from "./entered-code.ts";
import { requiredSession } from "./required-session.ts";

export function completeEmailChange(
  dependencies: Dependencies,
): ServiceImpl<typeof AccountService>["completeEmailChange"] {
  const { database, clock } = dependencies;
  return async ({ sessionToken, signInHandle: handle, browserToken, code, peer }) => {
    const { accountUuid, email: previousEmail } = await requiredSession(dependencies, sessionToken);
    const outcome = await enteredCode(
      dependencies,
      { handle, browserToken, purpose: "email_change", accountUuid, code },
      peer,
    );
    if (outcome.result !== "right") return refusedCode(outcome);
    const proven = { handle, accountUuid, email: outcome.email, address: peer?.address ?? "" };
    const account = await completeStored(database, proven, clock());
    if (account === undefined) return refusedCode({ result: "over" });
    void notify(dependencies, [previousEmail], emailChangedNotice(peer?.userAgent ?? ""));
    return { result: CodeResult.RIGHT, account: accountMessage(account) };
  };
}
