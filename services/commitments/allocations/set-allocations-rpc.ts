import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { allocationOf, totalsOf } from "../base/allocation-message.ts";
import { generationNumber } from "../base/generation.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { setAllocations as setStored } from "./set-allocations.ts";

export function setAllocations({
  store,
  applyMaxRows,
}: ChangingContext): ServiceImpl<typeof CommitmentService>["setAllocations"] {
  return async (request) => {
    const { set, totals } = request;
    // Protovalidate has refused a request without one.
    const { changeSetUuid = "", part = 0, last = false } = set ?? {};
    const applied = await setStored(
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
