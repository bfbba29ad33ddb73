import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import { notify } from "../mail/notify.ts";
import { recentSession } from "../sessions/required-session.ts";
import { accountDeletedNotice } from "./account-notice.ts";
import { deleteAccount as deleteStored } from "./delete-account-transaction.ts";

export function deleteAccount(dependencies: Dependencies): ServiceImpl<typeof AccountService>["deleteAccount"] {
  const { database, clock } = dependencies;
  return async ({ sessionToken, peer }) => {
    const { accountUuid, email } = await recentSession(dependencies, sessionToken);
    const deleted = await deleteStored(database, accountUuid, clock());
    if (deleted) void notify(dependencies, [email], accountDeletedNotice(peer?.userAgent ?? ""));
    return {};
  };
}
