import { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { IndexerService } from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { type ServiceUse, serviceProbe } from "../platform/checks/services/service-probe.ts";

/** Reads where a service is, and as whom to call it. */
type ReadAddress = ServiceUse["read"];

/** A check of the commitments service, for a process that calls it. */
export const commitmentsProbe = (read: ReadAddress) =>
  serviceProbe({ name: "commitments", variable: "COMMITMENTS_URL", read, method: SaleService.method.getSale });

/** A check of the auth service, for a process that calls it. */
export const authProbe = (read: ReadAddress) =>
  serviceProbe({ name: "auth", variable: "AUTH_RPC_URL", read, method: AuthorizationService.method.getJwks });

/** A check of the indexer, for a process that calls it. */
export const indexerProbe = (read: ReadAddress) =>
  serviceProbe({ name: "indexer", variable: "INDEXER_URL", read, method: IndexerService.method.checkSource });

/** A check of the entities service. @param method a read that the process may call there, where there is one */
export const entitiesProbe = (read: ReadAddress, method?: ServiceUse["method"]) =>
  serviceProbe({ name: "entities", variable: "ENTITIES_URL", read, ...(method && { method }) });
