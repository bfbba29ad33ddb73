import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteSaleDays } from "./sale-days-store.ts";

/** Erases the numbers of a sale's days. */
export const saleErasure: SaleErasure = { short: deleteSaleDays };
