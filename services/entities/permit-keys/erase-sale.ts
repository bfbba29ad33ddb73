import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteKeys } from "./permit-keys-store.ts";

/** Erases the keys that sign a sale's permits. */
export const saleErasure: SaleErasure = { short: deleteKeys };
