import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { requiredDefinition, saleMessage } from "../messages/sale-message.ts";
import { updateSale as updateStored } from "../use-cases/update-sale.ts";
import type { Dependencies } from "./dependencies.ts";

export function updateSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["updateSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "editor");
    const updated = await updateStored(
      store,
      { saleUuid, draft: requiredDefinition(request), expectedVersion: request.expectedDefinitionVersion },
      () => authority.recordChange(principal, saleUuid, "definition"),
    );
    return { sale: saleMessage(updated) };
  };
}
