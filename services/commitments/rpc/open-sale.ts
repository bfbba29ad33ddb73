import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { saleMessage } from "../messages/sale-message.ts";
import { openSale as openStored } from "../use-cases/open-sale.ts";
import type { Dependencies } from "./dependencies.ts";

export function openSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["openSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const saleUuid = request.saleUuid.toLowerCase();
    await authority.requireRole(principal, saleUuid, "owner");
    const opened = await openStored(store, saleUuid, () => authority.admitOpening(principal, saleUuid));
    return { sale: saleMessage(opened) };
  };
}
