import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { keepBegunSale as keepStored } from "../begin-sale.ts";

export function keepBegunSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["keepBegunSale"] {
  return async (request, context) => {
    const ownerAccountUuid = authority.ownerOf(principalOf(context), "");
    await keepStored(store, { saleUuid: request.saleUuid.toLowerCase(), ownerAccountUuid, entries: request.entries });
    return {};
  };
}
