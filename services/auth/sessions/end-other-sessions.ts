import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { requireEndingSession } from "./require-ending-session.ts";
import { endOtherSessionsOf } from "./sessions-store.ts";

export function endOtherSessions(context: AuthContext): ServiceImpl<typeof AccountService>["endOtherSessions"] {
  const { database, clock } = context;
  return async ({ sessionToken }) => {
    const { accountUuid, uuid } = await requireEndingSession(context, sessionToken);
    const ended = await database.write(async (transaction) => {
      await refuseDuringOperatorRecovery(transaction, accountUuid, clock());
      const count = await endOtherSessionsOf(transaction, accountUuid, uuid);
      const details = { by: uuid, count };
      if (count > 0) await recordEvent(transaction, { event: "session.others_ended", accountUuid, details }, clock());
      return count;
    });
    return { ended };
  };
}
