import type { SaleErasure } from "../base/sale-erasure.ts";
import { deleteRules } from "./rules-store.ts";

/** Erases the rules and freezes of a sale, and the numbers of its members and denied wallets. */
export const saleErasure: SaleErasure = { short: deleteRules };
