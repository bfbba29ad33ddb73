import type { ServiceImpl } from "@connectrpc/connect";
import { type MembershipService, Removal } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { readMembers } from "./members-store.ts";
import { namedActor } from "./named-actor.ts";
import { notifyOwners } from "./notify-owners.ts";
import { requireRecentRole } from "./require-role.ts";
import { ensureSaleAccess, lockSale, storeAdmittedRemoval } from "./sale-access-store.ts";

const WITHDRAWAL = { audit: "sale.withdrawn", notice: "sale_withdrawn" } as const;
const DELETION = { audit: "sale.deleted", notice: "draft_deleted" } as const;

/** Admits a removal before it is made. `completeRemoval` finds out whether it was. */
export function admitRemoval(context: AuthContext): ServiceImpl<typeof MembershipService>["admitRemoval"] {
  const { database, clock } = context;
  return async (request) => {
    const actor = namedActor(request);
    const saleUuid = request.saleUuid.toLowerCase();
    const { audit: event, notice } = request.removal === Removal.DELETION ? DELETION : WITHDRAWAL;
    await ensureSaleAccess(database, saleUuid);
    const members = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, saleUuid);
      await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      await storeAdmittedRemoval(transaction, saleUuid, clock());
      await recordEvent(transaction, { event, saleUuid, accountUuid: actor?.accountUuid }, clock());
      return readMembers(transaction, saleUuid);
    });
    notifyOwners(context, members, actor, { event: notice, saleName: request.saleName });
    return {};
  };
}
