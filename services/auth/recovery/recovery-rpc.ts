import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { requiresPasskey } from "../accounts/passkey-requirement-store.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { requireProof } from "./account-proof.ts";
import { beginRecovery } from "./begin-recovery.ts";
import { completeRecovery } from "./complete-recovery.ts";
import { recoverAccount } from "./operator-recovery.ts";
import { findRecovery } from "./recoveries-store.ts";
import { recoveryMessage } from "./recovery-message.ts";
import { setPasskeyRequired } from "./set-passkey-required.ts";
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
