import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { requiredSession, sessionOver } from "../sessions/required-session.ts";
import { sessionMessage } from "../sessions/session-message.ts";
import { accountMessage } from "./account-message.ts";
import { findAccount } from "./accounts-store.ts";
import type { AccountDependencies } from "./dependencies.ts";

export function getSession(dependencies: AccountDependencies): ServiceImpl<typeof AccountService>["getSession"] {
  return async ({ sessionToken }) => {
    const session = await requiredSession(dependencies, sessionToken);
    const account = await dependencies.database.read((query) => findAccount(query, session.accountUuid));
    if (account === undefined) throw sessionOver();
    return { session: sessionMessage(session, session), account: accountMessage(account) };
  };
}
