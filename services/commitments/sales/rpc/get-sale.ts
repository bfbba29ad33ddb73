import type { ServiceImpl } from "@connectrpc/connect";
import { actorOf } from "../../../../common/platform/rpc/identity/actor.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { getSale as getStored } from "../../base/read-sale.ts";
import { saleMessage } from "../../base/sale-message.ts";

export function getSale({ store, authority }: Dependencies): ServiceImpl<typeof SaleService>["getSale"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const actor = actorOf(context);
    if (actor !== undefined) await authority.requireRole({ kind: "person", ...actor }, saleUuid, "viewer");
    return { sale: saleMessage(await getStored(store.database, saleUuid)) };
  };
}
