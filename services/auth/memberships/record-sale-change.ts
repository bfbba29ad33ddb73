import type { ServiceImpl } from "@connectrpc/connect";
import { type MembershipService, SaleChange } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../base/audit-store.ts";
import type { MembershipDependencies } from "./dependencies.ts";

export function recordSaleChange({
  database,
  clock,
}: Pick<MembershipDependencies, "database" | "clock">): ServiceImpl<typeof MembershipService>["recordSaleChange"] {
  return async (request) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const accountUuid = request.accountUuid === "" ? undefined : request.accountUuid.toLowerCase();
    const event = request.change === SaleChange.SETTLEMENT ? "sale.settled" : "sale.changed";
    await database.write((transaction) => recordEvent(transaction, { event, saleUuid, accountUuid }, clock()));
    return {};
  };
}
