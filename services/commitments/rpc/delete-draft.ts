import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { deleteDraft as deleteStored } from "../use-cases/delete-draft.ts";
import type { Dependencies } from "./dependencies.ts";

export function deleteDraft({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["deleteDraft"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    await deleteStored(store, { saleUuid, confirmName: request.confirmName }, (sale) =>
      authority.admitRemoval(principal, { saleUuid, saleName: sale.definition.name, removal: "deletion" }),
    );
    await authority.completeRemoval(saleUuid);
    return {};
  };
}
