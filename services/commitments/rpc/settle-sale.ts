import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/principal.ts";
import { settleSale as settleStored } from "../store/sales.ts";
import type { Dependencies } from "./dependencies.ts";
import { saleMessage } from "./sale-message.ts";

export function settleSale({ database, authority }: Dependencies): ServiceImpl<typeof SaleService>["settleSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principalOf(context), saleUuid, "owner");
    return { sale: saleMessage(await settleStored(database, saleUuid)) };
  };
}
