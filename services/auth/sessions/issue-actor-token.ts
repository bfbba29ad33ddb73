import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import type { SessionDependencies } from "./dependencies.ts";
import { requiredSession } from "./required-session.ts";

export function issueActorToken(
  dependencies: SessionDependencies,
): ServiceImpl<typeof AccountService>["issueActorToken"] {
  return async ({ sessionToken, audience }) => {
    const session = await requiredSession(dependencies, sessionToken);
    const { token, expiresAtMs } = await dependencies.actorTokens.issue(session, audience);
    return { actorToken: token, expiresAt: timestampOf(expiresAtMs) };
  };
}
