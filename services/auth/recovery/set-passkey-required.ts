import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { requiresPasskey, storePasskeyRequirement } from "../accounts/passkey-requirement-store.ts";
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
import { passkeyRequiredNotice } from "./recovery-notice.ts";

export function setPasskeyRequired(context: AuthContext): ServiceImpl<typeof AccountService>["setPasskeyRequired"] {
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
