import { requireDraft, requireVersion } from "../domain/sale/sale-transitions.ts";
import type { SaleWithState } from "../domain/sale/sale-with-state.ts";
import { readSaleWithState } from "../store/read/read-sale.ts";
import type { CommitmentsStore } from "./commitments-store.ts";

/**
 * Opens a draft.
 *
 * @param admit called before the sale is locked, so that it may take its time; it refuses by throwing
 * @throws ServiceError `not_found`; `failed_precondition` unless the sale is a draft; `aborted` if its definition is changed
 *   meanwhile; and whatever `admit` throws.
 */
export async function openSale(
  { database, changes }: CommitmentsStore,
  saleUuid: string,
  admit: () => Promise<void>,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireDraft(seen.state);
  await admit();
  return changes.run(saleUuid, async ({ sale, state: before }) => {
    requireDraft(before);
    requireVersion(sale, seen.sale.definitionVersion);
    return { state: { ...before, status: "open" }, update: {}, result: (state) => ({ sale, state }) };
  });
}
