import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { accountMessage } from "./account-message.ts";
import { completeSignIn as completeStored } from "./complete-sign-in-transaction.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { enteredCode, refusedCode } from "./entered-code.ts";

export function completeSignIn(
  dependencies: AccountDependencies,
): ServiceImpl<typeof AccountService>["completeSignIn"] {
  const { database, clock } = dependencies;
  return async ({ signInHandle: handle, browserToken, code, previousSessionToken: previousToken, peer }) => {
    const outcome = await enteredCode(dependencies, { handle, browserToken, purpose: "sign_in", code }, peer);
    if (outcome.result !== "correct") return refusedCode(outcome);
    const [token, userAgent, address] = [newOpaqueToken(), peer?.userAgent ?? "", peer?.address ?? ""];
    const proven = { handle, email: outcome.email, token, previousToken, userAgent, address };
    const signedIn = await completeStored(database, proven, clock());
    if (signedIn === undefined) return refusedCode({ result: "new_code_required" });
    const { session, account } = signedIn;
    return {
      result: CodeResult.CORRECT,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
    };
  };
}
