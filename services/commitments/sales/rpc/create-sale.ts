import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import { checkSaleDefinition } from "../../../../common/sale/definition/sale-definition.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage, tenancyOf } from "../../base/sale-message.ts";
import { createSale as createStored, isOwnSale } from "../create-sale.ts";
import { newDefinition } from "../definition-request.ts";

export function createSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["createSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const uuid = request.saleUuid === "" ? randomUUID() : request.saleUuid.toLowerCase();
    const ownerAccountUuid = authority.ownerOf(principal, request.ownerAccountUuid.toLowerCase());
    const definition = await checkSaleDefinition(newDefinition(request));
    // Auth must not register an owner for a sale that is another's.
    const exists = await isOwnSale(store, uuid, ownerAccountUuid);
    // A member who was removed must not return by creating the sale again.
    if (!exists || principal.kind === "operator") await authority.registerSale(uuid, ownerAccountUuid);
    const tenancy = tenancyOf(request.tenancy);
    return { sale: saleMessage(await createStored(store, { uuid, tenancy, definition, ownerAccountUuid })) };
  };
}
