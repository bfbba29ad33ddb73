import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { definitionChanges } from "../../shared/sale-definition/definition-changes.ts";
import { definitionMessage, requiredDefinition, saleMessage } from "../messages/sale-message.ts";
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
      (before, after) => {
        const settings = definitionChanges(definitionMessage(before), definitionMessage(after));
        return authority.recordChange(principal, saleUuid, "definition", settings);
      },
    );
    return { sale: saleMessage(updated) };
  };
}
