import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { settleSale as settleStored } from "../settle-sale.ts";

export function settleSale({
  store,
  authority,
  participation,
}: Dependencies): ServiceImpl<typeof SaleService>["settleSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "owner");
    const admit = async () => {
      await authority.recordChange(principal, saleUuid, "settlement");
      await participation.stopPermits(saleUuid);
    };
    return { sale: saleMessage(await settleStored(store, saleUuid, admit)) };
  };
}
