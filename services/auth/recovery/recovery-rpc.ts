import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { beginRecovery } from "./begin-recovery.ts";
import { completeRecovery } from "./complete-recovery.ts";
import { recoverAccount } from "./operator-recovery.ts";
import { setPasskeyRequired } from "./set-passkey-required.ts";
import { getSignInRules } from "./sign-in-rules.ts";
import { stopRecovery } from "./stop-recovery.ts";

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
