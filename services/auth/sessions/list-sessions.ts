import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { SessionDependencies } from "./dependencies.ts";
import { requiredSession } from "./required-session.ts";
import { sessionMessage } from "./session-message.ts";
import { listSessions as listStored } from "./sessions-store.ts";

export function listSessions(dependencies: SessionDependencies): ServiceImpl<typeof AccountService>["listSessions"] {
  const { database, clock } = dependencies;
  return async ({ sessionToken }) => {
    const current = await requiredSession(dependencies, sessionToken);
    const sessions = await database.read((query) => listStored(query, current.accountUuid, clock()));
    return { sessions: sessions.map((session) => sessionMessage(session, current)) };
  };
}
