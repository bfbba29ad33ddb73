import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";
import { deleteAlertSale } from "./alerts-store.ts";

/** Erases what people have asked to be mailed about a sale. */
export const saleErasure: SaleErasure = {
  short: deleteAlertSale,
  long: (database, saleUuid) => deleteSaleRows(database, { table: "alert_subscription", column: "account" }, saleUuid),
};
