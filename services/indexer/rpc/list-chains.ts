import type { ServiceImpl } from "@connectrpc/connect";
import type { ChainConnections } from "../../../common/contracts/reading/chain-connections.ts";
import { ChainKind, type IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";

export function listChains({ chains }: ChainConnections): ServiceImpl<typeof IndexerService>["listChains"] {
  return () => ({
    chains: chains.map((chain) =>
      chain.kind === "evm"
        ? { name: chain.name, kind: ChainKind.EVM, chainId: BigInt(chain.chainId) }
        : { name: chain.name, kind: ChainKind.SVM },
    ),
  });
}
