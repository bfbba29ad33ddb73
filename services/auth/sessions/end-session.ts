import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { requireEndingSession } from "./require-ending-session.ts";
import { endSessionByUuid } from "./sessions-store.ts";

export function endSession(context: AuthContext): ServiceImpl<typeof AccountService>["endSession"] {
  const { database, clock } = context;
  return async ({ sessionToken, sessionUuid }) => {
    const { accountUuid, uuid: by } = await requireEndingSession(context, sessionToken);
    const session = sessionUuid.toLowerCase();
    await database.write(async (transaction) => {
      await refuseDuringOperatorRecovery(transaction, accountUuid, clock());
      if (!(await endSessionByUuid(transaction, accountUuid, session))) {
        throw new ServiceError("not_found", "the account has no such session");
      }
      await recordEvent(transaction, { event: "session.ended", accountUuid, details: { session, by } }, clock());
    });
    return {};
  };
}
