import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { findAccount } from "../store/accounts.ts";
import { accountMessage, sessionMessage } from "./account-message.ts";
import type { Dependencies } from "./dependencies.ts";
import { requiredSession, sessionOver } from "./required-session.ts";

export function getSession(dependencies: Dependencies): ServiceImpl<typeof AccountService>["getSession"] {
  return async ({ sessionToken }) => {
    const session = await requiredSession(dependencies, sessionToken);
    const account = await dependencies.database.read((query) => findAccount(query, session.accountUuid));
    if (account === undefined) throw sessionOver();
    return { session: sessionMessage(session, session), account: accountMessage(account) };
  };
}
