import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";

/** Erases who has proved to be present for a sale. */
export const saleErasure: SaleErasure = {
  long: (database, saleUuid) => deleteSaleRows(database, { table: "liveness", column: "entity" }, saleUuid),
};
