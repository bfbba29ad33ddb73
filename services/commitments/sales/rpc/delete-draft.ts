import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { deleteDraft as deleteStored } from "../delete-draft.ts";

export function deleteDraft({
  store,
  authority,
  participation,
}: Dependencies): ServiceImpl<typeof SaleService>["deleteDraft"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    await deleteStored(store, { saleUuid, confirmName: request.confirmName }, async (sale) => {
      await authority.admitRemoval(principal, { saleUuid, saleName: sale.definition.name, removal: "deletion" });
      // The draft has no permits: this is how the entities service notices that it may be gone, should all else fail.
      await participation.stopPermits(saleUuid);
    });
    await authority.completeRemoval(saleUuid);
    await participation.eraseSale(saleUuid);
    return {};
  };
}
