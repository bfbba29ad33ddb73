import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import { definitionMessage } from "../../../../common/sale/definition/definition-message.ts";
import { definitionChanges } from "../../../../common/sale/words/definition-changes.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { checkDefinition } from "../check-definition.ts";
import { updatedDefinition } from "../definition-request.ts";
import { updateSale as updateStored } from "../update-sale.ts";

export function updateSale({ store, authority, sources }: Dependencies): ServiceImpl<typeof SaleService>["updateSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "editor");
    const { expectedDefinitionVersion: expectedVersion, overrideConfirmName } = request;
    const updated = await updateStored(
      store,
      { saleUuid, draftOf: (stored) => updatedDefinition(stored, request), expectedVersion, overrideConfirmName },
      {
        requireOwner: () => authority.requireRole(principal, saleUuid, "owner"),
        check: ({ definition: before }, definition, override) =>
          checkDefinition(sources, { saleUuid, definition, before, override }),
        record: (before, { definition, overridden }) => {
          const settings = definitionChanges(definitionMessage(before), definitionMessage(definition));
          return authority.recordChange(principal, saleUuid, "definition", settings, overridden);
        },
      },
    );
    return { sale: saleMessage(updated) };
  };
}
