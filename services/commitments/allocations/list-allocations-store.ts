import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { type AllocationKey, allocationOf, selectAllocations } from "../base/allocation-rows.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { shownAllocations } from "../base/domain/shown-allocations.ts";
import { readWholeRows } from "../base/read-sale.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/** A page of a sale's allocations, at one revision. */
export interface AllocationPage extends SaleWithState {
  /** By entity, wallet and token ascending. */
  readonly allocations: readonly Allocation[];
}

/**
 * Lists the allocations of a sale; none as long as they aren't known.
 *
 * @param after the allocation after which the page begins; undefined for the first page
 * @throws ServiceError `not_found`, `unavailable`.
 */
export async function listAllocations(
  database: CommitmentsDatabase,
  saleUuid: string,
  after: AllocationKey | undefined,
  limit: number,
): Promise<AllocationPage> {
  return database.snapshot(async (transaction) => {
    const { sale, state } = await readWholeRows(transaction, saleUuid);
    const shown = shownAllocations(state);
    if (shown === undefined) return { sale, state, allocations: [] };
    const { version } = shown;
    const found = await transaction.executeQuery(
      selectAllocations(database.dialect, { saleUuid, version }, after, limit),
    );
    return { sale, state, allocations: found.rows.map(allocationOf) };
  });
}
