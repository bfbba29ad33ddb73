import type { ServiceImpl } from "@connectrpc/connect";
import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { chainIdOf } from "../../../common/chains/explorer-links.ts";
import type { ChainConnections } from "../../../common/contracts/reading/chain-connections.ts";
import { ChainKind, type IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";

const KINDS: Readonly<Record<ChainFamily, ChainKind>> = { evm: ChainKind.EVM, svm: ChainKind.SVM };

export function listChains({ chains }: ChainConnections): ServiceImpl<typeof IndexerService>["listChains"] {
  return () => ({
    chains: chains.map((chain) => ({ name: chain.name, kind: KINDS[chain.family], chainId: chainIdOf(chain) })),
  });
}
