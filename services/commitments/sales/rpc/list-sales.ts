import type { ServiceImpl } from "@connectrpc/connect";
import { nextPageToken, pageSize, pageStart } from "../../../../common/platform/rpc/server/page-token.ts";
import { statusOf } from "../../../../common/sale/state/status.ts";
import type { SaleService } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { Dependencies } from "../../base/dependencies.ts";
import { saleMessage } from "../../base/sale-message.ts";
import { listSales as listStored } from "../store/list-sales.ts";

const UUID_HEX_DIGITS = 32;

export function listSales({ store }: Dependencies): ServiceImpl<typeof SaleService>["listSales"] {
  return async (request) => {
    const limit = pageSize(request.pageSize);
    const status = statusOf(request.status);
    const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
    const sales = await listStored(store.database, { after, limit, ...(status === undefined ? {} : { status }) });
    return { sales: sales.map(saleMessage), nextPageToken: nextPageToken(sales, limit, ({ sale }) => sale.uuid) };
  };
}
