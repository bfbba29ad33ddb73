import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { requiresPasskey } from "../accounts/passkey-requirement-store.ts";
import type { AuthContext } from "../base/context.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { requireProof } from "./account-proof.ts";
import { findRecovery } from "./recoveries-store.ts";
import { recoveryMessage } from "./recovery-message.ts";

export function getSignInRules(context: AuthContext): ServiceImpl<typeof AccountService>["getSignInRules"] {
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
