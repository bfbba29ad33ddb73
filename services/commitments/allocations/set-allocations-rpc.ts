import { hash } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import type { TokenAmount } from "../../../common/sale/record/token-amounts.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { allocationOf, totalsOf } from "../base/allocation-message.ts";
import { generationNumber } from "../base/generation.ts";
import { insertAppliedRequest, selectAppliedRequest } from "../changing/apply-request.ts";
import type { ChangingSale } from "../changing/changing-sale.ts";
import type { ChangingContext, CommitmentsStore } from "../changing/commitments-store.ts";
import type { ChangeSetPart } from "../changing/domain/admit-apply.ts";
import { checkTotals } from "../changing/domain/check-totals.ts";
import { type ApplyResult, answeredBefore } from "../changing/repeated-request.ts";
import {
  type AllocationPart,
  afterSetPart,
  checkAllocationCount,
  checkAllocations,
  requireAllocatable,
  setOfPart,
} from "./allocation-set.ts";
import { deleteOldAllocations, insertPart } from "./write-allocations-store.ts";

export function setAllocationsRpc({
  store,
  applyMaxRows,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["setAllocations"] {
  return async (request) => {
    const { set, totals } = request;
    // Protovalidate has refused a request without one.
    const { changeSetUuid = "", part = 0, last = false } = set ?? {};
    const applied = await setAllocations(
      store,
      {
        saleUuid: request.saleUuid.toLowerCase(),
        requestId: request.requestId.toLowerCase(),
        set: { uuid: changeSetUuid.toLowerCase(), part, last },
        allocations: request.allocations.map(allocationOf),
        ...(totals && { totals: totalsOf(totals) }),
      },
      applyMaxRows,
    );
    return {
      generation: generationNumber(applied.generation),
      revision: applied.revision,
      repeatedRequest: applied.repeated,
    };
  };
}

interface SetAllocationsRequest {
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
async function setAllocations(
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
