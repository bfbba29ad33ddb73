import type { ServiceImpl } from "@connectrpc/connect";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { TokenCheck } from "../../../common/chains/base/token-check.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { requireChain, SourceChecks } from "./source-checks.ts";

/** Addresses have no spaces. */
const SEPARATOR = " ";

/** Checks of lists of tokens, each list by its text. */
export function tokenChecks(connections: ChainConnections): SourceChecks<readonly TokenCheck[]> {
  return new SourceChecks({
    get: (chain) => ({
      check: ({ address }, signal) => connections.get(chain).checkTokens(address.split(SEPARATOR), signal),
    }),
  });
}

export function checkTokens(
  connections: ChainConnections,
  checks: SourceChecks<readonly TokenCheck[]>,
): ServiceImpl<typeof IndexerService>["checkTokens"] {
  return async ({ chain, addresses }, { signal }) => {
    requireChain(connections, chain);
    try {
      const tokens = await checks.check({ chain, address: addresses.join(SEPARATOR) }, signal);
      return { tokens: tokens.map((token) => ({ symbol: "", problem: "", ...token })) };
    } catch (error) {
      if (error instanceof SourceFault) throw new ServiceError("unavailable", error.message, { cause: error });
      throw error;
    }
  };
}
