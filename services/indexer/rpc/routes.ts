import type { ConnectRouter } from "@connectrpc/connect";
import { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import type { AllowedCallers } from "../../shared/rpc/identity/allowed-callers.ts";
import type { ChainConnections } from "../connections/chain-connections.ts";
import type { SourceChecks } from "../connections/source-checks.ts";
import { checkSource } from "./check-source.ts";
import { listChains } from "./list-chains.ts";

/** Callers allowed to call each method. */
export const ALLOWED_CALLERS: AllowedCallers = {
  [IndexerService.typeName]: {
    ListChains: ["gateway", "operator"],
    CheckSource: ["gateway", "operator"],
  },
};

/** The RPCs of the indexer. */
export function indexerRoutes(connections: ChainConnections, checks: SourceChecks): (router: ConnectRouter) => void {
  return (router) => {
    router.service(IndexerService, {
      listChains: listChains(connections),
      checkSource: checkSource(connections, checks),
    });
  };
}
