import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { callerOf } from "../../shared/rpc/callers.ts";
import { openSale as openStored } from "../store/sales.ts";
import type { Dependencies } from "./dependencies.ts";
import { saleMessage } from "./sale-message.ts";

export function openSale({ database, openSalePolicy }: Dependencies): ServiceImpl<typeof SaleService>["openSale"] {
  return async ({ saleUuid }, context) => {
    const caller = callerOf(context);
    const opened = await openStored(database, saleUuid.toLowerCase(), (sale) => openSalePolicy.admit(sale, caller));
    return { sale: saleMessage(opened) };
  };
}
