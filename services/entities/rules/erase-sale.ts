import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleErasure } from "../base/sale-erasure.ts";

/** Erases the rules and freezes of a sale, and the numbers of its members and denied wallets. */
export const saleErasure: SaleErasure = {
  async short(transaction, saleUuid) {
    const sale = bytesOfHex(saleUuid);
    for (const table of ["sale_rules", "freeze", "participant_count"] as const) {
      await transaction.deleteFrom(table).where("sale", "=", sale).execute();
    }
  },
};
