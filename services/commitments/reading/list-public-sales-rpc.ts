import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { readPublicSales } from "./public-sales-store.ts";
import { saleSummaryMessage } from "./sale-summary-message.ts";

/** Lists the open and the settled sales that their founders list. */
export function listPublicSalesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listPublicSales"] {
  return async () => {
    const listed = await readPublicSales(store.database);
    return { sales: listed.map(({ sale, state }) => ({ saleUuid: sale.uuid, sale: saleSummaryMessage(sale, state) })) };
  };
}
