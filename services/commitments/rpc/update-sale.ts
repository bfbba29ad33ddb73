import { isDeepStrictEqual } from "node:util";
import type { ServiceImpl } from "@connectrpc/connect";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { principalOf } from "../../shared/rpc/identity/principal.ts";
import { checkDefinitionChange } from "../domain/sale/definition-change.ts";
import { checkSaleDefinition } from "../domain/sale/sale-definition.ts";
import { requiredDefinition, saleMessage } from "../messages/sale-message.ts";
import { updateSale as updateStored } from "../use-cases/sales.ts";
import type { Dependencies } from "./dependencies.ts";

export function updateSale({ database, authority }: Dependencies): ServiceImpl<typeof SaleService>["updateSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "editor");
    const draft = requiredDefinition(request);
    const updated = await updateStored(database, saleUuid, request.expectedDefinitionVersion, async (sale, state) => {
      const frozen = state.status === "draft" ? undefined : sale.definition.paymentTokenDecimals;
      const definition = await checkSaleDefinition(draft, frozen);
      checkDefinitionChange(sale.definition, definition, state.status);
      const isChanged = !isDeepStrictEqual(definition, sale.definition);
      if (isChanged) await authority.recordChange(principal, saleUuid, "definition");
      return definition;
    });
    return { sale: saleMessage(updated) };
  };
}
