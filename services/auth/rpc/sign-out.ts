import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { recordEvent } from "../store/audit.ts";
import { endSession } from "../store/sessions.ts";
import type { Dependencies } from "./dependencies.ts";

export function signOut({ database, clock }: Dependencies): ServiceImpl<typeof AccountService>["signOut"] {
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
