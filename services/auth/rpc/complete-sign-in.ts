import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { newOpaqueToken } from "../opaque-token.ts";
import { completeSignIn as completeStored } from "../store/complete-sign-in.ts";
import { accountMessage, sessionMessage } from "./account-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { enteredCode, refusedCode } from "./entered-code.ts";

export function completeSignIn(dependencies: Dependencies): ServiceImpl<typeof AccountService>["completeSignIn"] {
  const { database, clock } = dependencies;
  return async ({ signInHandle: handle, browserToken, code, previousSessionToken: previousToken, peer }) => {
    const outcome = await enteredCode(dependencies, { handle, browserToken, purpose: "sign_in", code }, peer);
    if (outcome.result !== "right") return refusedCode(outcome);
    const [token, userAgent, address] = [newOpaqueToken(), peer?.userAgent ?? "", peer?.address ?? ""];
    const proven = { handle, email: outcome.email, token, previousToken, userAgent, address };
    const signedIn = await completeStored(database, proven, clock());
    if (signedIn === undefined) return refusedCode({ result: "over" });
    const { session, account } = signedIn;
    return {
      result: CodeResult.RIGHT,
      sessionToken: token,
      session: sessionMessage(session, session),
      account: accountMessage(account),
    };
  };
}
