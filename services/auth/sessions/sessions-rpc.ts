import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { SessionDependencies } from "./dependencies.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { endSession } from "./end-session.ts";
import { requireSession } from "./require-session.ts";
import { sessionMessage } from "./session-message.ts";
import { listSessions } from "./sessions-store.ts";

/** The methods of `AccountService` for sessions. */
export function sessionMethods(
  dependencies: SessionDependencies,
): Pick<ServiceImpl<typeof AccountService>, "listSessions" | "endSession" | "endOtherSessions" | "issueActorToken"> {
  const { database, clock, actorTokens } = dependencies;
  return {
    endSession: endSession(dependencies),
    endOtherSessions: endOtherSessions(dependencies),

    async listSessions({ sessionToken }) {
      const current = await requireSession(dependencies, sessionToken);
      const sessions = await database.read((query) => listSessions(query, current.accountUuid, clock()));
      return { sessions: sessions.map((session) => sessionMessage(session, current)) };
    },

    async issueActorToken({ sessionToken, audience }) {
      const session = await requireSession(dependencies, sessionToken);
      const { token, expiresAtMs } = await actorTokens.issue({ ...session, sessionUuid: session.uuid }, audience);
      return { actorToken: token, expiresAt: timestampOf(expiresAtMs) };
    },
  };
}
