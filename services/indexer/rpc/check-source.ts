import type { ServiceImpl } from "@connectrpc/connect";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { ChainConnections } from "../connections/chain-connections.ts";
import type { SourceChecks } from "../connections/source-checks.ts";
import { SourceFault } from "../source/source-fault.ts";
import { requireChain } from "./require-chain.ts";

export function checkSource(
  connections: ChainConnections,
  checks: SourceChecks,
): ServiceImpl<typeof IndexerService>["checkSource"] {
  return async ({ chain, address }, { signal }) => {
    requireChain(connections, chain);
    try {
      const check = await checks.check(chain, address, signal);
      return {
        readable: check.readable,
        problems: [...check.problems],
        commitmentCount: check.commitmentCount,
        ...(check.stage === undefined ? {} : { stage: check.stage }),
        saleUuid: check.saleUuid ?? "",
        paymentTokens: [...check.paymentTokens],
        height: check.height,
      };
    } catch (error) {
      if (error instanceof SourceFault) return { readable: false, problems: [error.message] };
      throw error;
    }
  };
}
