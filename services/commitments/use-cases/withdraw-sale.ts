import type { Sale } from "../../../common/sale/definition/sale.ts";
import { withdrawn } from "../domain/sale/sale-state.ts";
import { requireConfirmed, requireWithdrawable } from "../domain/sale/sale-transitions.ts";
import type { SaleWithState } from "../domain/sale/sale-with-state.ts";
import { unfreezeBody } from "../store/apply/frozen-body.ts";
import { readSaleWithState } from "../store/read/read-sale.ts";
import { deleteWebhooks } from "../store/webhooks/endpoint-rows.ts";
import type { CommitmentsStore } from "./commitments-store.ts";

/** A sale to remove, with the name that somebody has typed as a confirmation. */
export interface ConfirmedRemoval {
  readonly saleUuid: string;
  readonly confirmName: string;
}

/**
 * Withdraws an open or settled sale for good. Its rows stay, and nobody can read them; its webhooks go.
 *
 * @param admit called before the sale is locked, and only if the sale could be withdrawn; it refuses by throwing
 * @throws ServiceError `not_found`, `invalid_argument`, `failed_precondition`, and whatever `admit` throws.
 */
export async function withdrawSale(
  { database, changes }: CommitmentsStore,
  { saleUuid, confirmName }: ConfirmedRemoval,
  admit: (sale: Sale) => Promise<void>,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireWithdrawable(seen.state);
  requireConfirmed(seen.sale, "confirm_name", confirmName);
  await admit(seen.sale);
  return changes.run(saleUuid, async ({ transaction, sale, state: before }) => {
    requireWithdrawable(before);
    await unfreezeBody(transaction, saleUuid);
    await deleteWebhooks(transaction, saleUuid);
    return { state: withdrawn(before), update: {}, result: (state) => ({ sale, state }) };
  });
}
