import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { accountDeletedNotice } from "../mail/account-notice.ts";
import { notify } from "../mail/notify.ts";
import { deleteAccount as deleteStored } from "../store/delete-account.ts";
import type { Dependencies } from "./dependencies.ts";
import { recentSession } from "./required-session.ts";

export function deleteAccount(dependencies: Dependencies): ServiceImpl<typeof AccountService>["deleteAccount"] {
  const { database, clock } = dependencies;
  return async ({ sessionToken, peer }) => {
    const { accountUuid, email } = await recentSession(dependencies, sessionToken);
    const deleted = await deleteStored(database, accountUuid, clock());
    if (deleted) void notify(dependencies, [email], accountDeletedNotice(peer?.userAgent ?? ""));
    return {};
  };
}
