import type { ServiceImpl } from "@connectrpc/connect";
import { type MembershipService, SaleChange } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { MembershipDependencies } from "./dependencies.ts";
import { readMembers } from "./members-store.ts";
import { namedActor } from "./named-actor.ts";
import { notifyOwners } from "./notify-owners.ts";
import { saleNameOf } from "./read-sale.ts";
import { requireRecentRole } from "./require-role.ts";

export function recordSaleChange(
  dependencies: MembershipDependencies,
): ServiceImpl<typeof MembershipService>["recordSaleChange"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const actor = namedActor(request);
    const saleUuid = request.saleUuid.toLowerCase();
    const isSettlement = request.change === SaleChange.SETTLEMENT;
    const event = isSettlement ? "sale.settled" : "sale.changed";
    const members = await database.write(async (transaction) => {
      if (isSettlement) await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      const { changes, checkOverridden } = request;
      const details = { check_overridden: checkOverridden };
      const recorded = { event, saleUuid, accountUuid: actor?.accountUuid, details, changes } as const;
      await recordEvent(transaction, recorded, clock());
      return isSettlement ? readMembers(transaction, saleUuid) : [];
    });
    if (!isSettlement) return {};
    const saleName = (await saleNameOf(dependencies, saleUuid, context)) || saleUuid;
    notifyOwners(dependencies, members, actor, { event: "sale_settled", saleName });
    return {};
  };
}
