import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { checkSaleDefinition } from "../domain/sale-definition.ts";
import { createSale as createStored } from "../store/sales.ts";
import type { Dependencies } from "./dependencies.ts";
import { requiredDefinition, saleMessage, tenancyOf } from "./sale-message.ts";

export function createSale({ database }: Dependencies): ServiceImpl<typeof SaleService>["createSale"] {
  return async (request) => {
    const sale = await createStored(database, {
      uuid: request.saleUuid === "" ? randomUUID() : request.saleUuid.toLowerCase(),
      tenancy: tenancyOf(request.tenancy),
      definition: await checkSaleDefinition(requiredDefinition(request)),
      ownerAccountUuid: request.ownerAccountUuid.toLowerCase(),
    });
    return { sale: saleMessage(sale) };
  };
}
