import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";

/** Erases the members and the deny list of a sale. The members that permits have bound stay bound. */
export const saleErasure: SaleErasure = {
  async long(database, saleUuid) {
    await deleteSaleRows(database, { table: "group_member", column: "member" }, saleUuid);
    await deleteSaleRows(database, { table: "denied_wallet", column: "wallet" }, saleUuid);
  },
};
