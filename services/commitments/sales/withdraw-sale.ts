import type { Sale } from "../../../common/sale/definition/sale.ts";
import { withdrawn } from "../base/domain/sale-state.ts";
import { requireConfirmed, requireWithdrawable } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { unfreezeBody } from "../changing/frozen-body.ts";
import { deleteWebhooks } from "../webhooks/store/endpoint-rows.ts";

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
