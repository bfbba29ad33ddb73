import type { ServiceImpl } from "@connectrpc/connect";
import { pageSize } from "../../../common/platform/rpc/server/page-token.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { allocationMessage, saleAllocationsMessage } from "../base/allocation-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import { allocationToken, keyOfToken } from "./allocation-token.ts";
import { listAllocations as listStored } from "./list-allocations-store.ts";

export function listAllocations({
  store,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["listAllocations"] {
  return async (request) => {
    const limit = pageSize(request.pageSize);
    const after = keyOfToken(request.pageToken);
    const { sale, state, allocations } = await listStored(store.database, request.saleUuid.toLowerCase(), after, limit);
    const last = allocations.length < limit ? undefined : allocations.at(-1);
    const saleAllocations = saleAllocationsMessage(sale.definition, state);
    return {
      generation: generationNumber(state.generation),
      revision: state.revision,
      allocations: allocations.map(allocationMessage),
      nextPageToken: last === undefined ? "" : allocationToken(last),
      ...(saleAllocations && { saleAllocations }),
    };
  };
}
