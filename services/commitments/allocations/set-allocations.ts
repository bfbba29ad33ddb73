import { hash } from "node:crypto";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { TokenAmount } from "../../../common/sale/record/token-amounts.ts";
import { type ApplyResult, answeredBefore } from "../applying/apply-commitments.ts";
import { insertAppliedRequest, selectAppliedRequest } from "../changing/apply-request.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import type { ChangeSetPart } from "../changing/domain/admit-apply.ts";
import { checkTotals } from "../changing/domain/check-totals.ts";
import { type AllocationPart, afterSetPart, requireAllocatable, setOfPart } from "./allocation-set.ts";
import { checkAllocationCount, checkAllocations } from "./check-allocations.ts";
import { deleteOldAllocations, insertPart } from "./write-allocations-store.ts";

export interface SetAllocationsRequest {
  readonly saleUuid: string;
  readonly requestId: string;
  readonly set: ChangeSetPart;
  readonly allocations: readonly Allocation[];
  readonly totals?: readonly TokenAmount[];
}

/**
 * Stores a part of the allocations of a settled sale without a source. The last part shows the whole set instead of the
 * allocations from before, which are then deleted.
 *
 * @param maxRows the most allocations in one call
 * @throws ServiceError `invalid_argument`, `not_found`, `already_exists`, `failed_precondition`, `aborted`, `unavailable`.
 */
export async function setAllocations(
  store: CommitmentsStore,
  request: SetAllocationsRequest,
  maxRows: number,
): Promise<ApplyResult> {
  const { saleUuid, requestId } = request;
  checkAllocationCount(request.allocations.length, maxRows);
  const { database, changes } = store;
  const payloadHash = hashOf(request);
  const prefetch = () => ({ appliedRequest: selectAppliedRequest(database.dialect, saleUuid, requestId) });
  const result = await changes.run<ApplyResult>(
    saleUuid,
    async (changing) => {
      const { sale, state } = changing;
      const answered = answeredBefore(changing, requestId, payloadHash);
      if (answered !== undefined) return answered;
      requireAllocatable(sale, state);
      return setPart(store, changing, checkPart(sale.definition, request), { requestId, payloadHash });
    },
    { prefetch },
  );
  if (request.set.last) await deleteOldAllocations(database, saleUuid);
  return result;
}

async function setPart(
  { database: { dialect } }: CommitmentsStore,
  changing: ChangingSale,
  part: AllocationPart,
  { requestId, payloadHash }: { readonly requestId: string; readonly payloadHash: string },
) {
  const { sale, state, nowMillis, writes } = changing;
  const set = setOfPart(state.allocations, part.set);
  const allocations = afterSetPart(state.allocations, set, part);
  if (!(await insertPart(dialect, changing, set.version, part.allocations))) {
    throw new ServiceError("already_exists", "an allocation of this part is in an earlier part of the set already");
  }
  const { last } = part.set;
  const revision = last ? state.revision + 1n : state.revision;
  await writes.add([insertAppliedRequest(dialect, sale.uuid, requestId, { payloadHash, revision, nowMillis })]);
  return {
    state: { ...state, allocations },
    ...(last && { update: {} }),
    result: ({ generation }: ChangingSale["state"]) => ({ generation, revision, repeated: false }),
  };
}

function checkPart(definition: SaleDefinition, { set, allocations, totals }: SetAllocationsRequest): AllocationPart {
  return {
    set,
    allocations: checkAllocations(definition, allocations),
    totals: totals && checkTotals("totals", definition, totals),
  };
}

/** SHA-256 (hex) of what a request would change; see `payloadHash`. */
function hashOf({ set, allocations, totals }: SetAllocationsRequest): string {
  const rows = allocations.map(({ entityId, wallet, token, accepted }) => [
    entityId,
    wallet,
    token,
    accepted.toString(),
  ]);
  const sums = totals?.map(({ token, amount }) => [token, amount.toString()]);
  return hash("sha256", JSON.stringify([set.uuid, set.part, set.last, rows, sums ?? ""]), "hex");
}
