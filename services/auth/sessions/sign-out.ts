import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { SessionDependencies } from "./dependencies.ts";
import { endSession } from "./sessions-store.ts";

export function signOut({ database, clock }: SessionDependencies): ServiceImpl<typeof AccountService>["signOut"] {
  return async ({ sessionToken }) => {
    await database.write(async (transaction) => {
      const ended = await endSession(transaction, sessionToken);
      if (ended === undefined) return;
      const { accountUuid, uuid: session } = ended;
      await recordEvent(transaction, { event: "session.signed_out", accountUuid, details: { session } }, clock());
    });
    return {};
  };
}
