import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { decodeSale, decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { saleSummaryMessage } from "./sale-summary-message.ts";

/** Most sales that a start page lists. */
const MAX_SALES = 100;

/** Lists the open and the settled sales that their founders list. */
export function listPublicSalesRpc({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listPublicSales"] {
  return async () => {
    const rows = await readListed(store.database);
    const sales = rows.map((row) => {
      const sale = decodeSale(row);
      return { saleUuid: sale.uuid, sale: saleSummaryMessage(sale, decodeSaleState(row)) };
    });
    return { sales };
  };
}

/** Reads open sales first, as "open" comes before "settled", of each the newest first. */
function readListed(database: CommitmentsDatabase) {
  return database.read((connection) =>
    connection
      .selectFrom("sale")
      .innerJoin("sale_state", "sale_state.sale", "sale.sale")
      .selectAll()
      .where("listed", "=", 1)
      .where("status", "in", ["open", "settled"])
      .orderBy("status")
      .orderBy("created_at_ms", "desc")
      .orderBy("sale.sale")
      .limit(MAX_SALES)
      .execute(),
  );
}
