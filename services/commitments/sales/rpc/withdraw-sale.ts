import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { withdrawSale as withdrawStored } from "../withdraw-sale.ts";

export function withdrawSale({
  store,
  authority,
  participation,
}: Dependencies): ServiceImpl<typeof SaleService>["withdrawSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    const withdrawn = await withdrawStored(store, { saleUuid, confirmName: request.confirmName }, async (sale) => {
      await authority.admitRemoval(principal, { saleUuid, saleName: sale.definition.name, removal: "withdrawal" });
      await participation.stopPermits(saleUuid);
    });
    await authority.completeRemoval(saleUuid);
    await participation.eraseSale(saleUuid);
    return { sale: saleMessage(withdrawn) };
  };
}
