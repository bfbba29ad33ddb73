import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { checkSaleDefinition } from "../../../common/sale/definition/sale-definition.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { tenancyOf } from "../base/sale-message.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { requireCreatable } from "./create-sale-rpc.ts";
import { newDefinition, updatedDefinition } from "./definition-request.ts";
import { checkUpdate } from "./update-sale-rpc.ts";

/** Checks all that `CreateSale` or `UpdateSale` would check by itself, and changes nothing. */
export function checkSaleRpc({ store, authority }: ChangingContext): ServiceImpl<typeof SaleService>["checkSale"] {
  return async (request, call) => {
    const principal = principalOf(call);
    const uuid = request.saleUuid.toLowerCase();
    if (request.expectedDefinitionVersion > 0n) {
      await authority.requireRole(principal, uuid, "editor");
      const draftOf = (stored: SaleDefinition) => updatedDefinition(stored, request);
      const expectedVersion = request.expectedDefinitionVersion;
      await checkUpdate(store, { saleUuid: uuid, draftOf, expectedVersion, overrideConfirmName: "" });
      return {};
    }
    const ownerAccountUuid = authority.ownerOf(principal, "");
    const definition = await checkSaleDefinition(newDefinition(request));
    const sale = { uuid, tenancy: tenancyOf(request.tenancy), definition, ownerAccountUuid };
    const exists = await requireCreatable(store, sale);
    if (!exists && principal.kind !== "operator") await authority.checkRegistration(uuid, ownerAccountUuid);
    return {};
  };
}
