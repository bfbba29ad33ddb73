import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";

/** Erases the IDs that an operator has imported for people of a sale. The IDs that entities have stay, as permits name them. */
export const saleErasure: SaleErasure = {
  long: (database, saleUuid) => deleteSaleRows(database, { table: "imported_entity_id", column: "email" }, saleUuid),
};
