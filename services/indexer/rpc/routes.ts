import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import type { AccountSignatureCheck } from "../../../common/chains/base/account-signature.ts";
import type { TokenCheck } from "../../../common/chains/base/token-check.ts";
import { chainIdOf } from "../../../common/chains/explorer-links.ts";
import type { SignerCheck } from "../../../common/contracts/chain-connection.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import type { AllowedCallers } from "../../../common/platform/rpc/identity/allowed-callers.ts";
import { STATUS_CALLERS } from "../../../common/platform/rpc/server/status.ts";
import { CHAIN_KINDS } from "../../../common/sale/definition/chain-kind.ts";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { checkAccountSignature } from "./check-account-signature.ts";
import { checkFinality, type FinalityCheck } from "./check-finality.ts";
import { checkPermitSigner } from "./check-permit-signer.ts";
import { checkSource } from "./check-source.ts";
import { checkTokens } from "./check-tokens.ts";
import type { ExitReads } from "./exit-reads.ts";
import { getBidExits } from "./get-bid-exits.ts";
import type { SourceChecks } from "./source-checks.ts";

/** Callers allowed to call each method. */
export const ALLOWED_CALLERS: AllowedCallers = {
  [IndexerService.typeName]: {
    ListChains: ["gateway", "operator"],
    CheckSource: ["gateway", "commitments", "entities", "operator"],
    CheckTokens: ["gateway", "commitments", "operator"],
    CheckPermitSigner: ["entities", "operator"],
    CheckAccountSignature: ["entities"],
    CheckFinality: ["gateway"],
    GetBidExits: ["commitments"],
  },
  ...STATUS_CALLERS,
};

export interface IndexerChecks {
  readonly sources: SourceChecks;
  readonly tokens: SourceChecks<readonly TokenCheck[]>;
  readonly signers: SourceChecks<SignerCheck>;
  readonly accountSignatures: SourceChecks<AccountSignatureCheck>;
  readonly finality: SourceChecks<FinalityCheck>;
  readonly exits: ExitReads;
}

/** The RPCs of the indexer. */
export function indexerRoutes(connections: ChainConnections, checks: IndexerChecks): (router: ConnectRouter) => void {
  return (router) => {
    router.service(IndexerService, {
      listChains: listChains(connections),
      checkSource: checkSource(connections, checks.sources),
      checkTokens: checkTokens(connections, checks.tokens),
      checkPermitSigner: checkPermitSigner(connections, checks.signers),
      checkAccountSignature: checkAccountSignature(connections, checks.accountSignatures),
      checkFinality: checkFinality(connections, checks.finality),
      getBidExits: getBidExits(connections, checks.exits),
    });
  };
}

function listChains({ chains }: ChainConnections): ServiceImpl<typeof IndexerService>["listChains"] {
  return () => ({
    chains: chains.map((chain) => ({ name: chain.name, kind: CHAIN_KINDS[chain.family], chainId: chainIdOf(chain) })),
  });
}
