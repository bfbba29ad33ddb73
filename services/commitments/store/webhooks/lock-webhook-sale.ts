import { bytesOfHex } from "../../../../common/platform/encoding/hex.ts";
import { requireNotWithdrawn } from "../../domain/sale/sale-transitions.ts";
import type { SaleWithState } from "../../domain/sale/sale-with-state.ts";
import { readSaleWithState } from "../read/read-sale.ts";
import { saleNotFound, type Tx } from "../sql/sale-rows.ts";
import type { CommitmentsDatabase } from "../sql/schema.ts";
import { lockSaleRow } from "./lock-sale-row.ts";

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
