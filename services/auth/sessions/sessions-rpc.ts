import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { endSession } from "./end-session.ts";
import { requireSession } from "./require-session.ts";
import { sessionMessage } from "./session-message.ts";
import { listSessions } from "./sessions-store.ts";

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
