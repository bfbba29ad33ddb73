import { invalidArgument } from "../../../../common/platform/errors/service-error.ts";
import type { Sale } from "../../../../common/sale/definition/sale.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import { isSettling } from "../../base/domain/shown-allocations.ts";
import type { ApplyPayload } from "./prepare-apply.ts";

/**
 * Refuses allocations in an apply to a sale that can't have any: one without a source, whose feeder sets them, and one before
 * its settlement.
 *
 * @param target the sale's state after the apply
 * @throws ServiceError `invalid_argument`
 */
export function admitAllocations(sale: Sale, target: SaleState, payload: ApplyPayload): void {
  if (payload.allocationTotals === undefined && !payload.upserts.some(({ accepted }) => accepted !== undefined)) return;
  if (sale.definition.source === undefined) {
    throw refusal("allocations.source", "is only for a sale with a source; set this sale's allocations as a whole");
  }
  if (!isSettling(target)) throw refusal("allocations.stage", "is only for a sale that is being settled, or settled");
}

function refusal(rule: string, message: string) {
  return invalidArgument([{ field: "allocation_totals", rule, message }]);
}
