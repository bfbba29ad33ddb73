import { bytesOfHex } from "../../../../common/platform/encoding/hex.ts";
import type { Tx } from "../../base/sale-rows.ts";

/** The tables of what was read from a source. */
const READ_TABLES = [
  "commitment",
  "commitment_wallet",
  "allocation",
  "tick_node",
  "frozen_body",
  "sale_source_status",
] as const;

/** Deletes everything that was read from the source of a sale that was never read whole: parts of a change set, and reports. */
export async function deleteReadRows(transaction: Tx, saleUuid: string): Promise<void> {
  for (const table of READ_TABLES) {
    await transaction.deleteFrom(table).where("sale", "=", bytesOfHex(saleUuid)).execute();
  }
}
