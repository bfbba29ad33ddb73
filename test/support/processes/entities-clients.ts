import type { Transport } from "@connectrpc/connect";
import { AlertService } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { type ClientsOf, clientsOf } from "./service-process.ts";

const SERVICES = {
  entities: EntityService,
  wallets: WalletService,
  eligibility: EligibilityService,
  permits: PermitService,
  alerts: AlertService,
  secrets: SecretService,
};

/** RPC clients of every service of entities. */
export type EntitiesClients = ClientsOf<typeof SERVICES>;

export function entitiesClients(transport: Transport): EntitiesClients {
  return clientsOf(SERVICES, transport);
}
