import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { requiresPasskey } from "../accounts/passkey-requirement-store.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { requireProof } from "./account-proof.ts";
import type { RecoveryDependencies } from "./dependencies.ts";
import { findRecovery } from "./recoveries-store.ts";
import { recoveryMessage } from "./recovery-message.ts";

export function getSignInRules(
  dependencies: RecoveryDependencies,
): ServiceImpl<typeof AccountService>["getSignInRules"] {
  const { database, clock, salesRequiringPasskeys } = dependencies;
  return async ({ proof }) => {
    const { accountUuid, email } = await requireProof(dependencies, proof);
    const rules = await database.read(async (query) => ({
      passkeys: await countPasskeys(query, accountUuid),
      passkeyRequired: await requiresPasskey(query, accountUuid),
      recovery: recoveryMessage(await findRecovery(query, accountUuid), clock()),
    }));
    const sales = await salesRequiringPasskeys(accountUuid);
    return { ...rules, email, salesRequiringPasskeys: [...sales] };
  };
}
