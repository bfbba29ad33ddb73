import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";

/** Holds the rows of sales, so that applies wait. @returns what lets them go. */
export async function lockSale(database: CommitmentsDatabase, ...saleUuids: string[]): Promise<() => Promise<void>> {
  const transaction = await database.query.startTransaction().execute();
  const rows = transaction.selectFrom("sale_state").select("sale").where("sale", "in", saleUuids.map(bytesOfHex));
  await rows.forUpdate().execute();
  return async () => {
    await transaction.rollback().execute();
  };
}
