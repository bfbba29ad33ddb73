import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { checkDefinition } from "../check-definition.ts";
import { openSale as openStored } from "../open-sale.ts";

export function openSale({
  store,
  authority,
  sources,
  participation,
}: Dependencies): ServiceImpl<typeof SaleService>["openSale"] {
  return async (request, context) => {
    const principal = principalOf(context);
    const saleUuid = request.saleUuid.toLowerCase();
    const { overrideConfirmName } = request;
    await authority.requireRole(principal, saleUuid, "owner");
    const opened = await openStored(
      store,
      { saleUuid, overrideConfirmName },
      {
        check: ({ definition }, override) => checkDefinition(sources, { saleUuid, definition, override }),
        admit: async ({ tenancy }, overridden) => {
          await participation.admitOpening(saleUuid, tenancy === "live");
          await authority.admitOpening(principal, saleUuid, overridden);
        },
      },
    );
    return { sale: saleMessage(opened) };
  };
}
