import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import { decodeSaleState, saleNotFound, type Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { WEBHOOK_TABLES } from "../webhooks/endpoint-rows.ts";

/** The tables in which a draft may have rows. Nothing was ever applied to it. */
const TABLES_OF_DRAFT = [
  ...WEBHOOK_TABLES,
  "sale_logo",
  "sale_source_status",
  "history",
  "outbox",
  "sale",
  "sale_state",
] as const;

/** The tables of what was read from a source. */
const READ_TABLES = [
  "commitment",
  "commitment_wallet",
  "allocation",
  "tick_node",
  "frozen_body",
  "sale_source_status",
] as const;

/**
 * Deletes a draft. Its events go with it, as a later sale of the same UUID counts its revisions from the beginning.
 *
 * @param check called with the locked sale; refuses by throwing
 * @throws ServiceError `not_found`, `unavailable`, and whatever `check` throws.
 */
export async function deleteSale(
  database: CommitmentsDatabase,
  saleUuid: string,
  check: (state: SaleState) => void,
): Promise<void> {
  const key = bytesOfHex(saleUuid);
  await database.writeExclusive(saleUuid, async (transaction) => {
    const query = transaction.selectFrom("sale_state").selectAll().where("sale", "=", key);
    const row = await database.dialect.lockRows(query).executeTakeFirst();
    if (row === undefined) throw saleNotFound(saleUuid);
    check(decodeSaleState(row));
    for (const table of TABLES_OF_DRAFT) await transaction.deleteFrom(table).where("sale", "=", key).execute();
  });
}

/** Deletes everything that was read from the source of a sale that was never read whole: parts of a change set, and reports. */
export async function deleteReadRows(transaction: Tx, saleUuid: string): Promise<void> {
  for (const table of READ_TABLES) {
    await transaction.deleteFrom(table).where("sale", "=", bytesOfHex(saleUuid)).execute();
  }
}
