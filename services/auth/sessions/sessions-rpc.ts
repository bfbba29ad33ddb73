import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { refuseDuringOperatorRecovery } from "../base/operator-recovery.ts";
import { countPasskeys } from "../base/passkey-count.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { requireSession } from "./require-session.ts";
import type { Session } from "./session.ts";
import { sessionMessage } from "./session-message.ts";
import { endOtherSessionsOf, endSessionByUuid, listSessions } from "./sessions-store.ts";

/** The methods of `AccountService` for sessions. */
export function sessionMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof AccountService>, "listSessions" | "endSession" | "endOtherSessions" | "issueActorToken"> {
  const { database, clock, actorTokens } = context;
  return {
    endSession: endSession(context),
    endOtherSessions: endOtherSessions(context),

    async listSessions({ sessionToken }) {
      const current = await requireSession(context, sessionToken);
      const sessions = await database.read((query) => listSessions(query, current.accountUuid, clock()));
      return { sessions: sessions.map((session) => sessionMessage(session, current)) };
    },

    async issueActorToken({ sessionToken, audience }) {
      const session = await requireSession(context, sessionToken);
      const { token, expiresAtMs } = await actorTokens.issue({ ...session, sessionUuid: session.uuid }, audience);
      return { actorToken: token, expiresAt: timestampOf(expiresAtMs) };
    },
  };
}

function endOtherSessions(context: AuthContext): ServiceImpl<typeof AccountService>["endOtherSessions"] {
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

function endSession(context: AuthContext): ServiceImpl<typeof AccountService>["endSession"] {
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

/**
 * Returns the session of somebody who ends other ones. With a code, that is possible a few times an hour where the account has a
 * passkey: whoever only reads its mails could otherwise end each session by passkey as soon as it begins, so that its owner never
 * changes the address. It isn't refused, as the lost device may have a session.
 *
 * @throws ServiceError as `requireSession`; `resource_exhausted`
 */
async function requireEndingSession(context: AuthContext, sessionToken: string): Promise<Session> {
  const session = await requireSession(context, sessionToken);
  const { accountUuid, authenticatedBy } = session;
  if (authenticatedBy === "passkey") return session;
  const passkeys = await context.database.read((query) => countPasskeys(query, accountUuid));
  if (passkeys > 0) await context.rateLimits.take("end_sessions_account", accountUuid);
  return session;
}
