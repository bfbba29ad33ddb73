import type { ServiceImpl } from "@connectrpc/connect";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { requirePasskeySession, requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { requireUnended } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { accountDeletedNotice } from "./account-notice.ts";
import { deleteAccountRow, lockAccount } from "./accounts-store.ts";
import { storeErasure } from "./erasures-store.ts";

export function deleteAccount(context: AuthContext): ServiceImpl<typeof AccountService>["deleteAccount"] {
  return async ({ sessionToken, peer }) => {
    const session = await requireRecentPasskeySession(context, sessionToken);
    const { accountUuid, email } = session;
    const { database, clock, entities } = context;
    await database.read((query) => refuseDuringOperatorRecovery(query, accountUuid, clock()));
    // From here on no permit is issued to the account. Where the deletion fails, the entities service finds that out itself.
    if (entities !== undefined) await passingRefusals(entities.closeAccount({ accountUuid }));
    const deleted = await eraseInAllSubjects(context, session);
    if (deleted) void notify(context, [email], accountDeletedNotice(browserOf(peer)));
    return {};
  };
}

/**
 * Deletes an account with all that the subjects keep about it. Rows of the audit table stay, but their UUID no longer leads
 * to a person.
 *
 * @returns false where there is no such account.
 * @throws ServiceError `failed_precondition` where the account is the only owner of a sale, or has a passkey and the session
 *   began with a code; `unauthenticated` where the session has ended meanwhile.
 */
async function eraseInAllSubjects(
  { database, clock, eraseAccount, entities }: AuthContext,
  session: Session,
): Promise<boolean> {
  const { accountUuid } = session;
  const { dialect } = database;
  const nowMs = clock();
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, dialect, accountUuid))) return false;
    await requireUnended(transaction, session);
    await requirePasskeySession(transaction, session);
    await refuseDuringOperatorRecovery(transaction, accountUuid, nowMs);
    for (const erase of eraseAccount) await erase(transaction, accountUuid, { dialect, nowMs });
    await deleteAccountRow(transaction, accountUuid);
    if (entities !== undefined) await storeErasure(transaction, accountUuid, nowMs);
    await recordEvent(transaction, { event: "account.deleted", accountUuid }, nowMs);
    return true;
  });
}
