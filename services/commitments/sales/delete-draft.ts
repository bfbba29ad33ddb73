import type { Sale } from "../../../common/sale/definition/sale.ts";
import { requireConfirmed, requireDraft } from "../base/domain/sale-transitions.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { deleteSale } from "./store/delete-sale.ts";
import type { ConfirmedRemoval } from "./withdraw-sale.ts";

/**
 * Deletes a draft.
 *
 * @param admit called before the sale is locked, and only if it is a draft; it refuses by throwing
 * @throws ServiceError `not_found`, `invalid_argument`; `failed_precondition` unless the sale is a draft; and whatever `admit`
 *   throws.
 */
export async function deleteDraft(
  { database }: CommitmentsStore,
  { saleUuid, confirmName }: ConfirmedRemoval,
  admit: (sale: Sale) => Promise<void>,
): Promise<void> {
  const { sale, state } = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireDraft(state);
  requireConfirmed(sale, "confirm_name", confirmName);
  await admit(sale);
  await deleteSale(database, saleUuid, requireDraft);
}
