import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { parseEmailAddress } from "../domain/email-address.ts";
import { findOrCreateAccount } from "../store/accounts.ts";
import { recordEvent } from "../store/audit.ts";
import { storeFounder } from "../store/founders.ts";
import type { Dependencies } from "./dependencies.ts";

export function inviteFounder({
  database,
  clock,
}: Pick<Dependencies, "database" | "clock">): ServiceImpl<typeof MembershipService>["inviteFounder"] {
  return async (request) => {
    const email = parseEmailAddress(request.email);
    const accountUuid = await database.write(async (transaction) => {
      const nowMs = clock();
      const { uuid } = await findOrCreateAccount(transaction, database.dialect, email, nowMs);
      await storeFounder(transaction, database.dialect, uuid, nowMs);
      await recordEvent(transaction, { event: "founder.invited", accountUuid: uuid }, nowMs);
      return uuid;
    });
    return { accountUuid };
  };
}
