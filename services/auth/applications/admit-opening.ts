import type { ServiceImpl } from "@connectrpc/connect";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import { readMembers } from "../memberships/members-store.ts";
import { namedActor } from "../memberships/named-actor.ts";
import { notifyOwners } from "../memberships/owner-notice.ts";
import { requireRecentRole } from "../memberships/require-role.ts";
import { ensureSaleAccess, lockSale, requireNotWithdrawn, storeOpening } from "../memberships/sale-access-store.ts";
import { requireOpenable } from "./application-readiness.ts";
import { readClientsOf } from "./applications-store.ts";

export function admitOpening(context: AuthContext): ServiceImpl<typeof MembershipService>["admitOpening"] {
  const { database, clock } = context;
  return async (request) => {
    const actor = namedActor(request);
    const saleUuid = request.saleUuid.toLowerCase();
    await ensureSaleAccess(database, saleUuid);
    const { members, saleName } = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, saleUuid);
      await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      await requireNotWithdrawn(transaction, saleUuid);
      const { saleName } = requireOpenable(await readClientsOf(transaction, saleUuid));
      await storeOpening(transaction, saleUuid, clock());
      await recordEvent(
        transaction,
        {
          event: "sale.opening_admitted",
          saleUuid,
          accountUuid: actor?.accountUuid,
          details: { check_overridden: request.checkOverridden },
        },
        clock(),
      );
      return { members: await readMembers(transaction, saleUuid), saleName };
    });
    notifyOwners(context, members, actor, { event: "sale_opened", saleUuid, saleName });
    return {};
  };
}
