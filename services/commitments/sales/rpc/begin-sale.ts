import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { beginSale as beginStored } from "../begin-sale.ts";

export function beginSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["beginSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const ownerAccountUuid = authority.ownerOf(principal, "");
    const copyOf = request.copyOf.toLowerCase();
    if (copyOf !== "") await authority.requireRole(principal, copyOf, "viewer");
    return beginStored(store, { ownerAccountUuid, copyOf }, (saleUuid) =>
      authority.checkRegistration(saleUuid, ownerAccountUuid),
    );
  };
}
