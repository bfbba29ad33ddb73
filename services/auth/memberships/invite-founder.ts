import type { ServiceImpl } from "@connectrpc/connect";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { findOrCreateAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { storeFounder } from "./founders-store.ts";

export function inviteFounder({
  database,
  clock,
}: AuthContext): ServiceImpl<typeof MembershipService>["inviteFounder"] {
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
