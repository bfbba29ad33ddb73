import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";

/** Holds a sale's row, so that applies wait. @returns what lets it go. */
export async function lockSale(database: CommitmentsDatabase, saleUuid: string): Promise<() => Promise<void>> {
  const transaction = await database.query.startTransaction().execute();
  const rows = transaction.selectFrom("sale_state").select("sale").where("sale", "=", bytesOfHex(saleUuid));
  await rows.forUpdate().execute();
  return async () => {
    await transaction.rollback().execute();
  };
}
