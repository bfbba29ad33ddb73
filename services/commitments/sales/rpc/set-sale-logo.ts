import type { ServiceImpl } from "@connectrpc/connect";
import { checkLogoImage } from "../../../../common/platform/images/logo-image.ts";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import { definitionMessage } from "../../../../common/sale/definition/definition-message.ts";
import { definitionChanges } from "../../../../common/sale/words/definition-changes.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { setSaleLogo as setStored } from "../set-sale-logo.ts";

export function setSaleLogo({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["setSaleLogo"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "editor");
    const image = request.image.length === 0 ? undefined : checkLogoImage(request.image, "square");
    const changed = await setStored(store, { saleUuid, image }, (before, after) => {
      const settings = definitionChanges(definitionMessage(before), definitionMessage(after));
      return authority.recordChange(principal, saleUuid, "definition", settings);
    });
    return { sale: saleMessage(changed) };
  };
}
