import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { AlertService } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";

/** The clients of the entities service. Their transport sets the deadline. */
export interface EntitiesUpstream {
  readonly entities: Client<typeof EntityService>;
  readonly wallets: Client<typeof WalletService>;
  readonly eligibility: Client<typeof EligibilityService>;
  readonly permits: Client<typeof PermitService>;
  readonly alerts: Client<typeof AlertService>;
}

/** Creates the clients. They connect with their first call. */
export function entitiesUpstream(transport: Transport): EntitiesUpstream {
  return {
    entities: createClient(EntityService, transport),
    wallets: createClient(WalletService, transport),
    eligibility: createClient(EligibilityService, transport),
    permits: createClient(PermitService, transport),
    alerts: createClient(AlertService, transport),
  };
}
