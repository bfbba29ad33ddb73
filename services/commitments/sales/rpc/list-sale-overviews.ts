import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../../common/platform/rpc/identity/principal.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { overviewMessage } from "../overview-message.ts";
import { readSaleOverviews } from "../store/sale-overviews.ts";

export function listSaleOverviews({
  store,
  authority,
}: Dependencies): ServiceImpl<typeof SaleService>["listSaleOverviews"] {
  return async ({ saleUuids }, context) => {
    const asked = [...new Set(saleUuids.map((saleUuid) => saleUuid.toLowerCase()))];
    const visible = await authority.visibleSales(principalOf(context), asked);
    const overviews = await readSaleOverviews(store.database, visible);
    return { overviews: overviews.map(overviewMessage) };
  };
}
