import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { saleNotFound, type Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** Locks the row of a sale, as whoever changes the sale does. @returns false if there is none */
export async function lockSaleRow(
  { dialect }: CommitmentsDatabase,
  transaction: Tx,
  sale: Uint8Array,
): Promise<boolean> {
  const query = transaction.selectFrom("sale_state").select("sale").where("sale", "=", sale);
  return (await dialect.lockRows(query).executeTakeFirst()) !== undefined;
}

/**
 * Locks a sale whose webhooks are changed, so that they can't change while it is withdrawn or deleted, which deletes them.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for a withdrawn sale
 */
export async function lockWebhookSale(
  database: CommitmentsDatabase,
  transaction: Tx,
  saleUuid: string,
): Promise<SaleWithState> {
  if (!(await lockSaleRow(database, transaction, bytesOfHex(saleUuid)))) throw saleNotFound(saleUuid);
  const locked = await readSaleWithState(transaction, saleUuid);
  requireNotWithdrawn(locked.state);
  return locked;
}
