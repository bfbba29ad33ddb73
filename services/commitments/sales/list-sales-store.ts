import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleStatus } from "../../../common/sale/state/status.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { decodeSale, decodeSaleState } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { readSourceStatuses, withSourceStatus } from "../base/source-status.ts";

export interface SalePage {
  /** The UUID after which the page begins; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Only sales of this status; all sales without it. */
  readonly status?: SaleStatus;
}

/** Lists sales by UUID ascending. */
export async function listSales(
  database: CommitmentsDatabase,
  { after, limit, status }: SalePage,
): Promise<readonly SaleWithState[]> {
  return database.read(async (connection) => {
    const query = connection
      .selectFrom("sale")
      .innerJoin("sale_state", "sale_state.sale", "sale.sale")
      .selectAll()
      .where("sale.sale", ">", bytesOfHex(after))
      .orderBy("sale.sale")
      .limit(limit);
    const rows = await (status === undefined ? query : query.where("status", "=", status)).execute();
    const sales = rows.map((row) => ({ sale: decodeSale(row), state: decodeSaleState(row) }));
    const uuids = sales.map(({ sale }) => sale.uuid);
    const statuses = await readSourceStatuses(connection, database.dialect, uuids);
    return sales.map((sale) => withSourceStatus(sale, statuses));
  });
}
