import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { decodeSale, decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** Most sales that a start page lists. */
const MAX_SALES = 100;

/** Reads the open and the settled sales that their founders list: open ones first, of each the newest first. */
export function readPublicSales(database: CommitmentsDatabase): Promise<readonly SaleWithState[]> {
  return database.read(async (connection) => {
    const rows = await connection
      .selectFrom("sale")
      .innerJoin("sale_state", "sale_state.sale", "sale.sale")
      .selectAll()
      .where("listed", "=", 1)
      .where("status", "in", ["open", "settled"])
      // "open" comes before "settled".
      .orderBy("status")
      .orderBy("created_at_ms", "desc")
      .orderBy("sale.sale")
      .limit(MAX_SALES)
      .execute();
    return rows.map((row) => ({ sale: decodeSale(row), state: decodeSaleState(row) }));
  });
}
