import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";
import { deleteAlertSale } from "./alerts-store.ts";

/** Erases what people have asked to be mailed about a sale, with the mails that wait. */
export const saleErasure: SaleErasure = {
  short: deleteAlertSale,
  async long(database, saleUuid) {
    // Without a subscription no process stores a mail any more.
    await deleteSaleRows(database, { table: "alert_subscription", column: "account" }, saleUuid);
    await deleteSaleRows(database, { table: "notice", column: "notice" }, saleUuid);
  },
};
