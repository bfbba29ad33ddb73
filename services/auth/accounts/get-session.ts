import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { accountMessage, sessionMessage } from "../sessions/account-message.ts";
import { requiredSession, sessionOver } from "../sessions/required-session.ts";
import { findAccount } from "./accounts-store.ts";

export function getSession(dependencies: Dependencies): ServiceImpl<typeof AccountService>["getSession"] {
  return async ({ sessionToken }) => {
    const session = await requiredSession(dependencies, sessionToken);
    const account = await dependencies.database.read((query) => findAccount(query, session.accountUuid));
    if (account === undefined) throw sessionOver();
    return { session: sessionMessage(session, session), account: accountMessage(account) };
  };
}
