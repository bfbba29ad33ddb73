import { type SaleState, withoutChangedPosition } from "../base/domain/sale-state.ts";
import { requireSettleable } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";

/**
 * Settles an open sale that no contract settles.
 *
 * @param admit called before the sale is locked, and only if the sale could be settled; it refuses by throwing
 * @throws ServiceError `not_found`, `failed_precondition`, and whatever `admit` throws.
 */
export async function settleSale(
  { database, changes }: CommitmentsStore,
  saleUuid: string,
  admit: () => Promise<void>,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireSettleable(seen.state);
  await admit();
  return changes.run(saleUuid, async ({ sale, state: before }) => {
    requireSettleable(before);
    const open = withoutChangedPosition(before);
    const settled: SaleState = { ...open, status: "settled", settleCount: before.settleCount + 1n };
    return { state: settled, update: {}, result: (state) => ({ sale, state }) };
  });
}
